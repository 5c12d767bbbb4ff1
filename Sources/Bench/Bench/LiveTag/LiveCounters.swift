import Bytes
import TagMemory

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lines of a file with counters: a tag's UID and the number of its last reading, 0 before the
/// first. The last line is `end`: whatever a file has lost, it shows.
struct LiveCounters {
  var lines: [(uid: UID, number: Int)] = []

  func number(of uid: UID) -> Int? { lines.first { $0.uid == uid }?.number }

  mutating func set(_ number: Int, of uid: UID) {
    guard let index = lines.firstIndex(where: { $0.uid == uid }) else { return }
    lines[index].number = number
  }
}

extension LiveCounters {
  /// Reads the file at `path`; nil where nothing stands there.
  ///
  /// The file is replaced as a whole, so that one that is empty or has no end is damaged
  /// (`badInput`). Fails with `cannotCreate` for what is no file of its own: a link
  /// or a second name would hide the numbers from whoever comes by the other.
  init?(readingFrom path: String) throws(BenchError) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = unsafe open(path, flags)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw errno == ELOOP
        ? Self.unfit(path, "it is a link")
        : Self.unfit(path, unsafe String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.unfit(path, "it is no regular file")
    }
    guard status.st_nlink == 1 else { throw Self.unfit(path, "it has several names (hard links)") }
    guard status.st_mode & 0o222 != 0 else { throw Self.unfit(path, "it is write-protected") }
    guard status.st_size <= Self.mostBytes else { throw Self.damaged(path, line: 1) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let more = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { throw Self.unfit(path, "it cannot be read") }
      count += more
    }
    try self.init(parsing: bytes, at: path)
  }

  /// Room for some 40,000 tags.
  private static let mostBytes = 1_000_000

  private init(parsing bytes: [UInt8], at path: String) throws(BenchError) {
    var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard pieces.suffix(2) == [Self.end, ""] else { throw Self.damaged(path, line: pieces.count) }
    pieces.removeLast(2)
    var known = Set<UID>()
    for (index, line) in pieces.enumerated() {
      let words = line.split(separator: " ")
      guard words.count == 2, let uid = try? Hex.bytes(words[0]), uid.count == 7,
        let number = Int(words[1]), (0...SUNReading.lastCounter).contains(number),
        Self.line(UID(uid), number) == line, known.insert(UID(uid)).inserted
      else { throw Self.damaged(path, line: index + 1) }
      lines.append((UID(uid), number))
    }
  }

  private static let end = "end"

  private static func line(_ uid: UID, _ number: Int) -> String { "\(uid.hex) \(number)" }

  /// Replaces the file at `path`: both the bytes and the name are on the disk afterwards. Fails
  /// with `cannotCreate`, with the file as it was.
  ///
  /// Only whoever holds the lock writes, and a program that was killed leaves no more than a draft.
  func save(to path: String) throws(BenchError) {
    let draft = Self.draft(of: path)
    let text = (lines.map { Self.line($0.uid, $0.number) } + [Self.end, ""]).joined(separator: "\n")
    guard text.utf8.count <= Self.mostBytes else { throw Self.unfit(path, "it is full") }
    // It may be another's file by a second name.
    unsafe unlink(draft)
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.unfit(draft) }
    let isWritten = LineFile.write(text, to: descriptor) && Files.reachesDisk(descriptor)
    let reason = errno
    close(descriptor)
    guard isWritten else {
      unsafe unlink(draft)
      errno = reason
      throw Self.unfit(path)
    }
    guard unsafe rename(draft, path) == 0 else { throw Self.unfit(path) }
    try Files.keepName(of: path)
  }

  static func draft(of path: String) -> String { path + ".draft" }

  /// For the reason that the system has given.
  private static func unfit(_ path: String) -> BenchError {
    unfit(path, unsafe String(cString: strerror(errno)))
  }

  private static func unfit(_ path: String, _ reason: String) -> BenchError {
    BenchError(.cannotCreate, "The tag's counter cannot be kept in \(path): \(reason).")
  }

  private static func damaged(_ path: String, line: Int) -> BenchError {
    BenchError(
      .badInput,
      "\(path), line \(line), is damaged: a line has a UID and a number. Without it the tag could show a reading twice. Put the file back; or move it away and give --uid with another UID."
    )
  }
}
