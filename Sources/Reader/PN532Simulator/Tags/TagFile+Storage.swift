#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension TagFile {
  /// What lies at `path`; nil when nothing does. Throws when it cannot be read or understood, and
  /// when it holds a tag of another product than `product`.
  package static func load(
    _ path: String, expecting product: String
  ) throws(VirtualTagError) -> TagFile? {
    guard let bytes = try read(path) else { return nil }
    let file: TagFile
    do throws(VirtualTagError) {
      file = try TagFile(parsing: bytes)
    } catch {
      throw .unusableFile(path: path, reason: error.description)
    }
    guard file.product == product else {
      throw .otherProduct(path: path, found: file.product, wanted: product)
    }
    return file
  }

  /// Writes the file in one step: whoever reads `path` finds the old content or the new one, also
  /// after a crash. An existing file keeps its permissions; a link stays one. Unless `durable`, the
  /// machine must not lose its power.
  package func save(to path: String, durable: Bool = true) throws(VirtualTagError) {
    let target = Self.resolved(path)
    let temporary = "\(target).\(getpid()).new"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, reason: Self.lastError) }
    var status = stat()
    if unsafe stat(target, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o7777) }
    let isWritten =
      Self.write(Array(serialize().utf8), to: descriptor) && (!durable || fsync(descriptor) == 0)
    let reason = Self.lastError
    let isClosed = close(descriptor) == 0
    guard isWritten, isClosed, unsafe rename(temporary, target) == 0 else {
      let reason = isWritten ? Self.lastError : reason
      _ = unsafe unlink(temporary)
      throw .cannotWrite(path: path, reason: reason)
    }
  }

  private static func read(_ path: String) throws(VirtualTagError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .cannotRead(path: path, reason: lastError)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= longestText {
      let count = unsafe systemRead(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .cannotRead(path: path, reason: lastError) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe systemWrite(descriptor, rest, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }

  /// Where a link points, so that it is not replaced; a path that leads nowhere yet as it is.
  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static var lastError: String { unsafe String(cString: strerror(errno)) }
}

// Inside the extension `read` and `write` are its own.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
  unsafe read(file, buffer, size)
}

private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer, _ size: Int) -> Int {
  unsafe write(file, bytes, size)
}
