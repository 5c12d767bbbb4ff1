#if canImport(Glibc)
  import Glibc

  extension Peer {
    /// Asks the kernel for the one socket at `address` and `port` that is connected to our port
    /// `ours` of the loopback address: sock_diag(7), `struct inet_diag_req_v2`. However many
    /// connections the machine has, that takes as long.
    ///
    /// Nil where it finds none, and where it was built without an answer: both look alike.
    static func asked(of address: String, port: Int, connectedTo ours: Int) -> Peer? {
      guard let (family, here, there) = places(address) else { return nil }
      func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }
      func half(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
      // In the order of this machine, which has the low byte first, but for ports and addresses.
      let any = [UInt8](repeating: 0xFF, count: 4)
      var request = word(72) + [20, 0, 1, 0] + word(1) + word(0)
      request += [UInt8(family), UInt8(IPPROTO_TCP), 0, 0] + any
      request += half(port) + half(ours) + there + here + word(0) + any + any
      let file = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 4)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var answer = [UInt8](repeating: 0, count: 512)
      guard unsafe send(file, request, request.count, 0) == request.count else { return nil }
      // The kernel answers before `send` returns.
      let count = unsafe recv(file, &answer, answer.count, CInt(MSG_DONTWAIT))
      // A socket that listens has no other end, and is none of ours.
      guard count >= 88, answer[4] == 20, Array(answer[20..<24]) == half(port) + half(ours)
      else { return nil }
      func number(at place: Int) -> UInt32 {
        answer[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      return number(at: 84) == 0 ? .gone : .user(number(at: 80))
    }

    /// The family of `address`, and the addresses at this end and at the other one, 16 bytes each.
    private static func places(_ address: String) -> (CInt, [UInt8], [UInt8])? {
      for (family, loopback) in [(AF_INET, "127.0.0.1"), (AF_INET6, "::1")] {
        var (here, there) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        if unsafe inet_pton(family, address, &there) == 1,
          unsafe inet_pton(family, loopback, &here) == 1
        {
          return (family, here, there)
        }
      }
      return nil
    }
  }
#endif
