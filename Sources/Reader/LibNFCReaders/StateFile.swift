#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A text file of the state directory, a line for each thing that is remembered. One that cannot be
/// read or written is as good as none.
struct StateFile: Sendable {
  let path: String

  init(path: String) { self.path = path }

  /// `$XDG_STATE_HOME/nfcprog/NAME`, in `~/.local/state` where that is not set (XDG Base Directory
  /// Specification 0.8); nil without a home.
  init?(named name: String) {
    if let state = Self.variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      path = "\(state)/nfcprog/\(name)"
    } else if let home = Self.variable("HOME") {
      path = "\(home)/.local/state/nfcprog/\(name)"
    } else {
      return nil
    }
  }

  var lines: [Substring] { FileSystem.text(of: path)?.split(separator: "\n") ?? [] }

  /// Adds a line; makes the directory where there is none.
  func append(_ line: String) {
    makeDirectory()
    write(line + "\n", flags: O_APPEND)
  }

  /// Puts `lines` in the place of all that were there.
  func replace(with lines: some Sequence<some StringProtocol>) {
    makeDirectory()
    write(lines.map { $0 + "\n" }.joined(), flags: O_TRUNC)
  }

  /// `text` without what would break its line.
  static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? "?" : $0 })
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

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}

// Inside `StateFile`, `write` is its own.
private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer, _ size: Int) -> Int {
  unsafe write(file, buffer, size)
}
