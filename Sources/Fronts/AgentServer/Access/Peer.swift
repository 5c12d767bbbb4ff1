import Bytes
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whose program is at the other end of a connection within this machine.
enum Peer: Equatable, Sendable {
  case user(UInt32)
  /// The other end is closed: nobody is there who could be named.
  case gone
  /// The system does not say.
  case notKnown

  /// Is true for this program's own user, and for root, who may do everything anyway.
  var isOurs: Bool { self == .user(geteuid()) || self == .user(0) }

  /// Returns who holds the socket at `address` and `port` that is connected to our port `ours`.
  static func owner(of address: String, port: Int, connectedTo ours: Int) -> Peer {
    #if canImport(Glibc)
      if let peer = asked(of: address, port: port, connectedTo: ours) { return peer }
    #endif
    // To its end: such a file does not say how long it is.
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].compactMap { path in
      (try? FileHandle(forReadingAtPath: path)?.readToEnd()).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    guard !tables.isEmpty else { return .notKnown }
    return tables.lazy.compactMap {
      owner(in: $0, of: address, port: port, connectedTo: ours)
    }.first ?? .gone
  }

  /// `table`: proc_net_tcp(5). Each row has its own address, the other end's and, as the eighth and
  /// tenth words, the user and the inode, which is 0 of a socket that nobody holds any more. Nil:
  /// the table has no such row.
  static func owner(
    in table: String, of address: String, port: Int, connectedTo ours: Int
  ) -> Peer? {
    let names = names(of: address)
    for row in table.split(separator: "\n").dropFirst() {
      let words = row.split(separator: " ")
      guard words.count > 9, let colon = words[1].firstIndex(of: ":"),
        names.contains(String(words[1][..<colon])), self.port(words[1]) == port,
        self.port(words[2]) == ours
      else { continue }
      guard words[9] != "0", let user = UInt32(words[7]) else { return .gone }
      return .user(user)
    }
    return nil
  }

  private static func port(_ address: Substring) -> Int? {
    address.split(separator: ":").last.flatMap { Int($0, radix: 16) }
  }

  /// How the tables write an address: words of 32 bits, as this machine has them. One of IPv4 may
  /// be a socket of IPv6.
  private static func names(of address: String) -> [String] {
    var (old, new) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, address, &old) == 1 {
      let word = unsafe withUnsafeBytes(of: &old) { unsafe Array($0) }
      let text = Hex.string(word.reversed()).uppercased()
      return [text, "0000000000000000FFFF0000" + text]
    }
    guard unsafe inet_pton(AF_INET6, address, &new) == 1 else { return [] }
    let bytes = unsafe withUnsafeBytes(of: &new) { unsafe Array($0) }
    let words = stride(from: 0, to: 16, by: 4).map { Hex.string(bytes[$0..<$0 + 4].reversed()) }
    return [words.joined().uppercased()]
  }
}
