#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Adapters on which a board was lost at a higher speed, and those that carry one, each with the
/// speed: two text files in the state directory, a line each.
///
///     921600 usb 1a86:7523 1-3.1
///
/// It only spares the next run the same loss, or the same proof: a file that cannot be read or
/// written is as good as none.
package struct AdapterMemory: Sendable {
  private let losses: StateFile
  private let proofs: StateFile
  var path: String { losses.path }

  /// `path`: of the file of losses; that of proofs is beside it.
  init(path: String) {
    losses = StateFile(path: path)
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    proofs = StateFile(path: folder + "proven-lines")
  }

  /// `lost-boards` and `proven-lines`; nil without a home.
  package static var standard: AdapterMemory? {
    StateFile(named: "lost-boards").map { AdapterMemory(path: $0.path) }
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
  func speed(thatLost key: String) -> Int? { Self.speed(of: key, in: losses) }

  /// The speed that was proven on the adapter: long frames came back whole; nil where none was.
  func speed(provenOn key: String) -> Int? { Self.speed(of: key, in: proofs) }

  private static func speed(of key: String, in file: StateFile) -> Int? {
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
    Self.note(bitsPerSecond, of: key, in: losses)
    return speed(thatLost: key) == bitsPerSecond
  }

  /// Remembers that the adapter has carried long frames at `bitsPerSecond`.
  func note(proof key: String, bitsPerSecond: Int) {
    Self.note(bitsPerSecond, of: key, in: proofs)
  }

  private static func note(_ bitsPerSecond: Int, of key: String, in file: StateFile) {
    guard speed(of: key, in: file) != bitsPerSecond else { return }
    file.append("\(bitsPerSecond) \(StateFile.line(key))")
  }

  /// Forgets that a board was lost on the adapter, which has carried a higher speed since.
  func forget(_ key: String) { Self.forget(key, in: losses) }

  /// Forgets that the adapter was proven: it has lost or damaged a frame since.
  func forget(proof key: String) { Self.forget(key, in: proofs) }

  private static func forget(_ key: String, in file: StateFile) {
    guard speed(of: key, in: file) != nil else { return }
    let key = StateFile.line(key)
    file.replace(
      with: file.lines.filter {
        $0.split(separator: " ", maxSplits: 1).last.map { $0 != key } ?? false
      })
  }
}
