/// Where a label printer listens: `zpl:tcp://HOST` or `zpl:tcp://HOST:PORT`.
///
/// ZPL printers take raw data at TCP port 9100. An IPv6 address stands in brackets.
public struct PrinterAddress: Hashable, Sendable {
  /// A name or an address, without brackets.
  package let host: String
  package let port: UInt16

  /// Returns whether `text` is meant as a printer's address, and not as a file.
  package static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix("zpl:") }

  /// Fails with a sentence for everything else.
  public init(parsing text: String) throws(PrinterAddressError) {
    let scheme = "zpl:tcp://"
    guard text.lowercased().hasPrefix(scheme) else { throw PrinterAddressError(text: text) }
    var rest = text.dropFirst(scheme.count)
    if rest.hasSuffix("/") { rest.removeLast() }
    let name: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { throw PrinterAddressError(text: text) }
      name = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      (name, rest) = (rest[..<end], rest[end...])
    }
    guard !name.isEmpty, !name.utf8.contains(where: Self.isForeign) else {
      throw PrinterAddressError(text: text)
    }
    host = String(name)
    guard !rest.isEmpty else {
      port = 9100
      return
    }
    guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt16(rest.dropFirst()), number > 0
    else { throw PrinterAddressError(text: text) }
    port = number
  }

  /// What stands in no name of a host.
  private static func isForeign(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || "/@?#[]".utf8.contains(byte)
  }
}

extension PrinterAddress: CustomStringConvertible {
  /// `zpl:tcp://printer.local:9100`.
  public var description: String {
    "zpl:tcp://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
  }
}

/// Why a text is no printer's address.
public struct PrinterAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  package let text: String

  public var description: String {
    "\(text) is not the address of a label printer: write zpl:tcp://HOST or zpl:tcp://HOST:PORT."
  }
}
