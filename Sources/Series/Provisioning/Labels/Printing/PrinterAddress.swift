/// Where a label printer is: `zpl:tcp://HOST`, `zpl:tcp://HOST:PORT` or `zpl:/dev/usb/lp0`.
///
/// ZPL printers take raw data at TCP port 9100. An IPv6 address stands in brackets.
public struct PrinterAddress: Hashable, Sendable {
  /// Where it takes labels.
  package enum Place: Hashable, Sendable {
    /// At a port of a host: a name or an address, without brackets.
    case network(host: String, port: UInt16)
    /// At this end of a cable, or of a FIFO.
    case device(path: String)
  }

  package let place: Place

  /// Returns whether `text` is meant as a printer's address, and not as a file.
  package static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix("zpl:") }

  /// Fails with a sentence for everything else.
  public init(parsing text: String) throws(PrinterAddressError) {
    let path = text.dropFirst("zpl:".count)
    if Self.isMeant(by: text), path.hasPrefix("/") {
      guard !path.utf8.contains(0) else { throw PrinterAddressError(text: text) }
      place = .device(path: String(path))
      return
    }
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
    guard !rest.isEmpty else {
      place = .network(host: String(name), port: 9100)
      return
    }
    guard rest.first == ":", rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = UInt16(rest.dropFirst()), number > 0
    else { throw PrinterAddressError(text: text) }
    place = .network(host: String(name), port: number)
  }

  /// What stands in no name of a host.
  private static func isForeign(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || "/@?#[]".utf8.contains(byte)
  }
}

extension PrinterAddress: CustomStringConvertible {
  /// `zpl:tcp://printer.local:9100`, `zpl:/dev/usb/lp0`.
  public var description: String {
    switch place {
    case .network(let host, let port):
      "zpl:tcp://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    case .device(let path): "zpl:\(path)"
    }
  }
}

/// Why a text is no printer's address.
public struct PrinterAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  package let text: String

  public var description: String {
    "\(text) is not the address of a label printer: write zpl:tcp://HOST, zpl:tcp://HOST:PORT or zpl:/dev/usb/lp0."
  }
}
