#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Adapters on which a board was lost at a higher speed, and the speed: a text file in the state
/// directory, a line each.
///
///     921600 usb 1a86:7523 1-3.1
///
/// It only spares the next run the same loss: a file that cannot be read or written is as good as
/// none.
package struct AdapterMemory: Sendable {
  private let file: StateFile
  var path: String { file.path }

  init(path: String) { file = StateFile(path: path) }

  private init(_ file: StateFile) { self.file = file }

  /// `lost-boards`; nil without a home.
  package static var standard: AdapterMemory? {
    StateFile(named: "lost-boards").map { AdapterMemory($0) }
  }

  /// How an adapter is known again: by its USB serial number, else by its socket; a port of the
  /// machine by its name.
  static func key(of port: ReaderDescription) -> String {
    guard let usb = port.usb else { return "port \(port.device)" }
    if let number = usb.serialNumber, !number.isEmpty { return "usb \(usb.code) \(number)" }
    return "usb \(usb.code) \(usb.portPath ?? port.device)"
  }

  /// A pseudo-terminal's number is given away again when it has gone: the time at which it was made
  /// tells one from another. Under a link it is whatever the link leads to.
  static func key(ofPseudoTerminal path: String, named name: String) -> String {
    guard TerminalPort.isPseudo(name) else { return "port \(name)" }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "port \(name)" }
    #if canImport(Darwin)
      let made = status.st_ctimespec
    #else
      let made = status.st_ctim
    #endif
    return "port \(name) of \(made.tv_sec).\(made.tv_nsec)"
  }

  /// The speed at which a board was lost on the adapter; nil where none was.
  func speed(thatLost key: String) -> Int? {
    let key = StateFile.line(key)
    return file.lines.compactMap { line -> Int? in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 && parts[1] == key ? Int(parts[0]) : nil
    }.last
  }

  /// Remembers that a board was lost on the adapter at `bitsPerSecond`; false where that cannot be
  /// written down.
  @discardableResult
  func note(loss key: String, bitsPerSecond: Int) -> Bool {
    if speed(thatLost: key) == bitsPerSecond { return true }
    file.append("\(bitsPerSecond) \(StateFile.line(key))")
    return speed(thatLost: key) == bitsPerSecond
  }

  /// Forgets the adapter, which has carried a higher speed since.
  func forget(_ key: String) {
    guard speed(thatLost: key) != nil else { return }
    let key = StateFile.line(key)
    file.replace(
      with: file.lines.filter {
        $0.split(separator: " ", maxSplits: 1).last.map { $0 != key } ?? false
      })
  }
}
