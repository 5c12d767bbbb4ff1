import Bytes
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that a person has named, for a command to write.
///
/// It is made before a reader or a tag is touched. A file that holds anything is not overwritten,
/// unless the person said so; a device, a pipe and standard output are no files that could be lost.
package final class NamedFile: Sendable {
  /// The path and the size of a file that was written; the program tells both to the person.
  package struct Saved: Hashable, Sendable {
    package let path: String
    package let byteCount: Int

    /// `Saved 180 bytes to a.bin.`
    package var sentence: String { "Saved \(counted(byteCount, "byte")) to \(path)." }
  }

  /// Who may replace a file.
  package enum Consent: Hashable, Sendable {
    /// Nobody: another name is needed, or the file goes first. `asking`: the option that would
    /// allow it and nothing else; nil where it would allow more than that.
    case refused(asking: String?)
    case given
  }

  package let path: String
  private let consent: Consent
  /// Is true if what stands there is of this run.
  private let isOurs = Atomic<Bool>(false)

  /// Fails with `cannotCreate` where the file may not be replaced, or cannot be made; with `usage`
  /// for `-`.
  package init(_ path: String, _ consent: Consent) throws(BenchError) {
    (self.path, self.consent) = (path, consent)
    guard path != "-" else {
      throw BenchError(.usage, "- is standard output, which carries results. Name a file.")
    }
    if case .nothing = try standing() {
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      guard unsafe access(folder, W_OK | X_OK) == 0 else { throw trouble() }
    }
  }

  /// The kinds of thing at the path that the program may write to.
  private enum Standing {
    case nothing
    /// A regular file that may be replaced.
    case file
    /// A device, a pipe, or what this process was given as its output: it stays what it is.
    case stream
  }

  private func standing() throws(BenchError) -> Standing {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      // A link that leads nowhere.
      if unsafe lstat(path, &status) == 0, !isReplaceable { throw refusal }
      return .nothing
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw BenchError(.cannotCreate, "\(path) cannot be written: it is a folder.")
    case S_IFREG where !isStandardFile(status):
      // Nothing is lost with an empty file.
      guard status.st_size == 0 || isReplaceable else { throw refusal }
      return .file
    default: return .stream
    }
  }

  private var isReplaceable: Bool { consent == .given || isOurs.load(ordering: .relaxed) }

  /// Returns whether the shell has opened it for this process, as in `--csv /dev/stdout > FILE`.
  private func isStandardFile(_ status: stat) -> Bool {
    [STDOUT_FILENO, STDERR_FILENO].contains { descriptor in
      var own = stat()
      return unsafe fstat(descriptor, &own) == 0 && own.st_dev == status.st_dev
        && own.st_ino == status.st_ino
    }
  }

  private var refusal: BenchError {
    let way =
      if case .refused(let option?) = consent { "or use \(option) to replace it" } else {
        "or delete this one"
      }
    return BenchError(
      .cannotCreate, "\(path) exists already and is not replaced. Name another file, \(way).")
  }

  private func trouble() -> BenchError {
    let reason = unsafe String(cString: strerror(errno))
    return BenchError(.cannotCreate, "\(path) cannot be written: \(reason).")
  }
}

/// Writing: this part puts the bytes into the file.
extension NamedFile {
  /// Writes what `fill` puts: a regular file as a whole, so that it is old or new and never half.
  /// `isSecret`: its owner alone can read it (mode 600). Fails with `cannotCreate`, also where a
  /// file has come there meanwhile.
  @discardableResult
  package func write(
    isSecret: Bool, _ fill: (_ put: ([UInt8]) -> Void) throws(BenchError) -> Void
  ) throws(BenchError) -> Saved {
    if case .stream = try standing() {
      return try write(into: try open(secret: isSecret), fill)
    }
    let place = unsafe realpath(path, nil)
    let real = unsafe place.map { unsafe String(cString: $0) } ?? path
    unsafe free(place)
    let folder = real.lastIndex(of: "/").map { String(real[...$0]) } ?? ""
    let draft = "\(folder).nfcprog-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let mode: mode_t = isSecret ? 0o600 : 0o666
    let descriptor = systemOpen(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw trouble() }
    defer { _ = unsafe unlink(draft) }
    let saved = try write(into: descriptor, fill)
    try publish(draft, as: real)
    // The name, too, is to outlive a power cut; a folder that may not be read keeps it, too.
    try? Files.keepName(of: real)
    isOurs.store(true, ordering: .relaxed)
    return saved
  }

  /// Writes `bytes` likewise.
  @discardableResult
  package func write(_ bytes: [UInt8], isSecret: Bool) throws(BenchError) -> Saved {
    try write(isSecret: isSecret) { put in put(bytes) }
  }

  /// Opens it to be written from its beginning on. Fails with `cannotCreate`.
  package func open(secret: Bool) throws(BenchError) -> CInt {
    let flags =
      switch try standing() {
      case .nothing: isReplaceable ? O_CREAT | O_TRUNC : O_CREAT | O_EXCL
      case .file: O_TRUNC
      case .stream: O_APPEND
      }
    let descriptor = systemOpen(
      path, O_WRONLY | O_CLOEXEC | flags, secret ? 0o600 : 0o666)
    if descriptor < 0, errno == EEXIST { throw refusal }
    guard descriptor >= 0 else { throw trouble() }
    // An older file of this name may be open to others.
    var status = stat()
    if secret, flags & O_APPEND == 0, unsafe fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    {
      fchmod(descriptor, 0o600)
    }
    isOurs.store(true, ordering: .relaxed)
    return descriptor
  }

  private func write(
    into descriptor: CInt, _ fill: (_ put: ([UInt8]) -> Void) throws(BenchError) -> Void
  ) throws(BenchError) -> Saved {
    var (count, failure) = (0, CInt?.none)
    defer { close(descriptor) }
    try fill { bytes in
      guard failure == nil else { return }
      if LineFile.write(bytes, to: descriptor) { count += bytes.count } else { failure = errno }
    }
    // A pipe or a device refuses fsync(2) with EINVAL or EROFS: it keeps no bytes on a disk.
    if failure == nil, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = errno }
    if let failure {
      errno = failure
      throw trouble()
    }
    return Saved(path: path, byteCount: count)
  }

  /// Gives the draft its name: in place of what may be replaced, else of nothing.
  private func publish(_ draft: String, as real: String) throws(BenchError) {
    if case .nothing = try standing(), !isReplaceable {
      if unsafe link(draft, real) == 0 { return }
      // It has come meanwhile; or this file system has no second names.
      if errno == EEXIST { _ = try standing() }
    }
    guard unsafe rename(draft, real) == 0 else { throw trouble() }
  }
}

// Inside `NamedFile`, `open` is its own.
private func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
  unsafe open(path, flags, mode)
}
