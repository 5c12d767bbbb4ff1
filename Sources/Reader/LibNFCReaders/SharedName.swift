/// The name below /dev/serial/by-id that several adapters have: those of one kind without a serial
/// number, or with one and the same. udev gives the link to the one that comes last, so that it may
/// lead to another after the next start.
struct SharedName: Hashable {
  /// The USB sockets in which adapters of this name are, or were when there were last several.
  let ports: [String]

  /// Returns what the name of `port` depends on; nil for what is no USB adapter.
  static func key(of port: ReaderDescription) -> String? {
    guard port.attachment == .usbSerial, let usb = port.usb else { return nil }
    return [
      usb.code, usb.manufacturer ?? "", usb.productName ?? "", usb.serialNumber ?? "",
      "\(usb.interface ?? 0)",
    ].joined(separator: " ")
  }

  /// Returns whether the maker has given `usb` a number of its own, so that nothing else has its
  /// name: CP210x adapters are delivered with 0001 (AN721, 3), CH340 and PL2303 without one.
  static func isOwn(_ usb: USBIdentity?) -> Bool {
    guard let number = usb?.serialNumber else { return false }
    return number.contains { $0 != "0" } && number != "0001"
  }

  /// As an obstacle for whoever uses the name: a clause, then what to do.
  func refusal(of name: String) -> String {
    let sockets = ports.map { "usb:\($0)" }.joined(separator: " or ")
    return "\(ports.count) adapters have the name \(name), those in the USB sockets "
      + ports.joined(separator: " and ")
      + ", and it may lead to either; name the reader by its socket, \(sockets), "
      + "or by its link below /dev/serial/by-path"
  }
}

/// Names that several adapters were seen with, a line each: the kind, and the sockets behind ` in
/// `. So the name is refused also while only one of them is plugged in.
struct SharedNames: Sendable {
  private let file: StateFile

  init(path: String) { file = StateFile(path: path) }

  private init(_ file: StateFile) { self.file = file }

  /// `shared-names` in the state directory; nil without a home.
  static var standard: SharedNames? { StateFile(named: "shared-names").map { SharedNames($0) } }

  /// What is remembered of each kind.
  var all: [String: SharedName] {
    var names: [String: SharedName] = [:]
    for line in file.lines {
      guard let range = line.ranges(of: " in ").last else { continue }
      let ports = line[range.upperBound...].split(separator: " ").map(String.init)
      if ports.count > 1 { names[String(line[..<range.lowerBound])] = SharedName(ports: ports) }
    }
    return names
  }

  /// Remembers the sockets of several adapters of one kind, in the place of those before.
  func note(_ name: SharedName, of key: String) {
    let key = StateFile.line(key)
    var names = all
    guard names[key] != name else { return }
    names[key] = name
    file.replace(
      with: names.sorted { $0.key < $1.key }.map { "\($0) in \($1.ports.joined(separator: " "))" })
  }
}
