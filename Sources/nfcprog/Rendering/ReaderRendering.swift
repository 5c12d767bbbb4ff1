/// One reader as `readers --json` prints it. What is nil is absent.
struct ReaderJSON: Encodable {
  var connstring: String
  /// `usb`, `usb-serial` or `uart`.
  var attachment: String
  var model: String?
  /// The device file.
  var device: String
  /// A name that is the same after unplugging.
  var stablePath: String?
  /// Vendor and product, `0403:6001`.
  var usb: String?
  var serialNumber: String?
  /// Bus and ports, `1-2.3`.
  var portPath: String?
  /// With `--check`: whether it was opened. Otherwise: whether nothing is known against it.
  var canOpen: Bool
  var reason: String?
  /// The command that mends it.
  var remedy: String?
  var firmware: String?

  init(_ state: ReaderState) {
    let reader = state.reader
    connstring = reader.connection
    attachment = reader.attachment.rawValue
    model = reader.model ?? reader.usb?.productName
    device = reader.device
    stablePath = reader.stablePath
    usb = reader.usb?.code
    serialNumber = reader.usb?.serialNumber
    portPath = reader.usb?.portPath
    canOpen = state.obstacle == nil
    reason = state.obstacle?.reason
    remedy = state.obstacle?.remedy
    firmware = state.firmware?.description
  }
}

/// One reader for people: its connection string first, so that it can be copied.
enum ReaderText {
  static func lines(_ state: ReaderState) -> [String] {
    let reader = state.reader
    var lines = [reader.connection]
    let model = reader.model ?? reader.usb?.productName
    let facts = [
      model, reader.usb?.code, reader.usb?.serialNumber.map { "serial number \($0)" },
      reader.usb?.portPath.map { "USB port \($0)" },
    ]
    let what = facts.compactMap { $0 }.joined(separator: ", ")
    lines.append("  \(reader.attachment.rawValue)\(what.isEmpty ? "" : ": \(what)")")
    if let path = reader.stablePath { lines.append("  always the same: pn532_uart:\(path)") }
    if let firmware = state.firmware { lines.append("  opens: \(firmware)") }
    if let obstacle = state.obstacle {
      lines.append("  cannot be opened: \(obstacle.reason)")
      if let remedy = obstacle.remedy { lines.append("  to mend it: \(remedy)") }
    }
    return lines
  }
}
