import Readers

extension Discovery {
  /// The reader that an operator names: a libnfc connection string, a device file or a link to one,
  /// `usb:` and the path of a USB port (`usb:1-2.3`), or a USB serial number.
  ///
  /// Messages call it `title` where one is given. Throws `cannotOpen` with what there is instead.
  package func connection(
    named name: String, calling title: String? = nil
  ) throws(ReaderError) -> ConnectionString {
    let found = try connection(named: name)
    return ConnectionString(
      driver: found.driver, location: found.location, speed: found.speed, text: title ?? found.text)
  }

  private func connection(named name: String) throws(ReaderError) -> ConnectionString {
    if let port = Self.port(in: name) {
      return try only(name, whatIsMissing: "no reader is plugged into USB port \(port)") {
        $0.usb?.portPath == port
      }
    }
    guard Self.isWord(name) else { return try ConnectionString(name) }
    return try only(name, whatIsMissing: "no reader has this name or this serial number") {
      $0.usb?.serialNumber == name
    }
  }

  /// Returns whether `name` is a serial number, or a USB port: what a reader has that may be
  /// absent.
  package static func isIdentity(_ name: String) -> Bool { isWord(name) || port(in: name) != nil }

  private static func isWord(_ name: String) -> Bool {
    !name.isEmpty && !name.contains { $0 == "/" || $0 == ":" }
      && ConnectionString.Driver(rawValue: name) == nil
  }

  /// The port in `usb:1-2.3`.
  private static func port(in name: String) -> String? {
    guard name.hasPrefix("usb:") else { return nil }
    let path = name.dropFirst(4)
    let numbers = path.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }
    return numbers.count >= 2 && numbers.allSatisfy { UInt8($0) != nil } ? String(path) : nil
  }

  /// The one reader that `isMeant`, under the operator's `name` for it.
  private func only(
    _ name: String, whatIsMissing: String, where isMeant: (ReaderDescription) -> Bool
  ) throws(ReaderError) -> ConnectionString {
    let readers = readers(inDetail: false)
    let meant = readers.filter(isMeant)
    guard let reader = meant.first else {
      throw .cannotOpen(reader: name, reason: whatIsMissing + "; " + Self.list(readers))
    }
    guard meant.count == 1 else {
      throw .cannotOpen(
        reader: name,
        reason: "\(meant.count) readers have this name: "
          + meant.map(Self.text).joined(separator: ", "))
    }
    if name == reader.usb?.serialNumber, let shared = reader.sharedName {
      throw .cannotOpen(reader: name, reason: shared.refusal(of: name))
    }
    let connection = try ConnectionString(reader.connection)
    return ConnectionString(
      driver: connection.driver, location: connection.location, speed: connection.speed, text: name)
  }

  /// `pn532_uart:/dev/ttyUSB0 (A50285BI, usb:1-2)`.
  private static func text(of reader: ReaderDescription) -> String {
    let names = [
      reader.usb?.serialNumber, reader.usb?.portPath.map { "usb:\($0)" },
    ].compactMap(\.self)
    return reader.connection + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
  }

  private static func list(_ readers: [ReaderDescription]) -> String {
    let likely = readers.filter(\.isLikely).map(text)
    return likely.isEmpty ? "no reader is there" : "there are " + likely.joined(separator: ", ")
  }
}
