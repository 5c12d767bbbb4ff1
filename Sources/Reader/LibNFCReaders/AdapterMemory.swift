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
  let path: String

  init(path: String) { self.path = path }

  /// `$XDG_STATE_HOME/nfcprog/lost-boards`, in `~/.local/state` where that is not set (XDG Base
  /// Directory Specification 0.8); nil without a home.
  package static var standard: AdapterMemory? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      return AdapterMemory(path: "\(state)/nfcprog/lost-boards")
    }
    return variable("HOME").map { AdapterMemory(path: "\($0)/.local/state/nfcprog/lost-boards") }
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
    let key = Self.line(key)
    return lines.compactMap { line -> Int? in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 && parts[1] == key ? Int(parts[0]) : nil
    }.last
  }

  /// Remembers that a board was lost on the adapter at `bitsPerSecond`; false where that cannot be
  /// written down.
  @discardableResult
  func note(loss key: String, bitsPerSecond: Int) -> Bool {
    if speed(thatLost: key) == bitsPerSecond { return true }
    makeDirectory()
    write("\(bitsPerSecond) \(Self.line(key))\n", flags: O_APPEND)
    return speed(thatLost: key) == bitsPerSecond
  }

  /// Forgets the adapter, which has carried a higher speed since.
  func forget(_ key: String) {
    guard speed(thatLost: key) != nil else { return }
    let key = Self.line(key)
    let rest = lines.filter {
      $0.split(separator: " ", maxSplits: 1).last.map { $0 != key } ?? false
    }
    write(rest.map { $0 + "\n" }.joined(), flags: O_TRUNC)
  }

  private var lines: [Substring] {
    FileSystem.text(of: path)?.split(separator: "\n") ?? []
  }

  private func write(_ text: String, flags: CInt) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o644)
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    _ = unsafe systemWrite(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  private func makeDirectory() {
    for (index, character) in zip(path.indices, path) where character == "/" {
      let directory = String(path[..<index])
      if !directory.isEmpty { _ = unsafe mkdir(directory, 0o700) }
    }
  }

  /// A key must not break its line.
  private static func line(_ key: String) -> String {
    String(key.map { $0.isNewline ? "?" : $0 })
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}

// Inside `AdapterMemory`, `write` is its own.
private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer, _ size: Int) -> Int {
  unsafe write(file, buffer, size)
}
