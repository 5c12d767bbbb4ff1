import Workbooks

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open file that can be read at any place, by several threads at a time.
///
/// What comes through a pipe is copied into a file without a name first, that only its owner may
/// read.
package final class SourceFile: Sendable {
  let descriptor: CInt
  /// The name in sentences.
  let name: String
  /// The sheet that it holds the rows of, a line each however many ends of lines a cell has; nil: a
  /// file of lines.
  let sheet: SheetFacts?

  /// Opens the file at `path`; `-` is standard input. What comes through a pipe may have
  /// `pipeLimit` bytes.
  init(_ path: String, pipeLimit: Int = SourceFile.pipeLimit) throws(JobSourceError) {
    (name, sheet) = (path == "-" ? "Standard input" : path, nil)
    let input = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw Self.failure(name) }
    if Self.isRegular(input), path != "-" {
      descriptor = input
    } else {
      defer { close(input) }
      descriptor = try Self.spool(input, name, limit: pipeLimit)
    }
  }

  /// An empty file without a name, to which bytes are appended that come piece by piece.
  package init(keeping name: String) throws(JobSourceError) {
    (self.name, sheet) = (name, nil)
    descriptor = try Self.temporary()
  }

  /// A file without a name that gets the rows of a sheet of the workbook `file`.
  init(
    of file: SourceFile,
    _ write: (_ append: (ArraySlice<UInt8>) throws(JobSourceError) -> Void) throws(JobSourceError)
      ->
      SheetFacts
  ) throws(JobSourceError) {
    let (name, copy) = (file.name, try Self.temporary())
    do {
      sheet = try write { (bytes) throws(JobSourceError) in try Self.write(bytes, name, to: copy) }
    } catch {
      close(copy)
      throw error
    }
    (self.name, descriptor) = (name, copy)
  }

  deinit { close(descriptor) }

  /// Appends to a file without a name; one thread at a time.
  package func append(_ bytes: ArraySlice<UInt8>) throws(JobSourceError) {
    try Self.write(bytes, name, to: descriptor)
  }

  /// Fills `buffer` from `offset` on, as far as the file goes; gives the number of bytes.
  func read(into buffer: inout [UInt8], at offset: UInt64) throws(JobSourceError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset) + off_t(done))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(name) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// All of it, up to `limit` bytes.
  func contents(limit: Int) throws(JobSourceError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = try read(into: &bytes, at: 0)
    guard count <= limit else {
      throw JobSourceError(.badInput, "\(name) has more than \(limit) bytes: no tag can hold that.")
    }
    return Array(bytes[..<count])
  }

  /// False where a pipe, a device or a folder lies at `path`.
  static func mayBeRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  private static func isRegular(_ descriptor: CInt) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// What never ends, such as `/dev/zero`, is not to fill the disk.
  static let pipeLimit = 1_000_000_000

  private static func spool(
    _ input: CInt, _ name: String, limit: Int
  ) throws(JobSourceError) -> CInt {
    let copy = try temporary()
    do {
      try copyAll(input, name, to: copy, limit: limit)
    } catch {
      close(copy)
      throw error
    }
    return copy
  }

  private static func temporary() throws(JobSourceError) -> CInt {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/nfcprog.XXXXXX".utf8CString)
    // mkstemp makes the file with mode 0600.
    let copy = unsafe mkstemp(&path)
    guard copy >= 0 else { throw failure("\(folder) (a temporary file)", .noRoom) }
    unsafe unlink(path)
    _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
    return copy
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, _ name: String, to copy: CInt
  ) throws(JobSourceError) {
    var rest = bytes
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { rest in
        unsafe systemWrite(copy, rest.baseAddress, rest.count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure("The copy of \(name)", .noRoom) }
      rest = rest.dropFirst(written)
    }
  }

  private static func copyAll(
    _ input: CInt, _ name: String, to copy: CInt, limit: Int
  ) throws(JobSourceError) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var room = limit
    while true {
      let count = unsafe systemRead(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(name) }
      if count == 0 { return }
      room -= count
      guard room >= 0 else {
        throw JobSourceError(.badInput, "\(name) does not end within \(limit) bytes.")
      }
      try write(buffer[..<count], name, to: copy)
    }
  }

  private static func failure(
    _ name: String, _ kind: JobSourceError.Kind = .noInput
  ) -> JobSourceError {
    let reason = unsafe String(cString: strerror(errno))
    return JobSourceError(
      kind, "\(name) cannot be \(kind == .noInput ? "read" : "written"): \(reason).")
  }
}

// Inside `SourceFile`, `read` and `write` are its own.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
  unsafe read(file, buffer, size)
}

private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ size: Int) -> Int {
  unsafe write(file, bytes, size)
}
