import JobLists
import Synchronization
import TagMemory

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A CSV file with a row for every good tag that was read, each once, which is a list for a series.
///
/// A row is on the disk before the line shows the tag's verdict. A file that is there goes on; a
/// row that was cut short, as by a power cut, is taken away first: its tag had no verdict. One in
/// which more is wrong is left as it is, and refused.
package final class CollectedFile: Sendable {
  /// A tag in the file, and the message that it held.
  struct Tag: Hashable {
    let uid: UID
    let message: [UInt8]
    /// Its type, as `sim:` calls it; nil where it was not known.
    var type: String?
    var isProtected: Bool?
  }

  package let path: String
  /// The tags that it had when it was opened.
  let earlier: [Tag]
  /// Is true if its last row had been cut short, and was taken away.
  package let wasTorn: Bool
  private let file: Mutex<AppendedFile>
  private let isDry: Bool

  /// Opens the file, or makes it. One process at a time has it. `isDry`: one that is there stays as
  /// it is.
  package init(at path: String, isDry: Bool = false) throws(CollectedFileError) {
    (self.path, self.isDry) = (path, isDry)
    let opened: AppendedFile
    (opened, earlier, wasTorn) = try CollectedFileError.catching(path) {
      let file = try AppendedFile(path)
      guard flock(file.handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw CollectedFileError.locked(path)
      }
      let (tags, wasTorn) = try Self.check(file, path, isDry)
      return (file, tags, wasTorn)
    }
    file = Mutex(opened)
  }

  deinit {
    // A program that is being started has a copy of the descriptor for a moment.
    file.withLock { _ = flock($0.handle.fileDescriptor, LOCK_UN) }
  }

  /// The tags in the file, once it ends with a whole row.
  private static func check(
    _ file: AppendedFile, _ path: String, _ isDry: Bool
  ) throws -> ([Tag], Bool) {
    let opening = CSV.record(CollectedRow.header)
    guard try file.beginning().starts(with: opening) else {
      // The beginning of the first line may be all that a power cut has left of it.
      guard opening.starts(with: try file.beginning()) else {
        throw CollectedFileError.otherFile(path)
      }
      if !isDry {
        try file.truncate(to: 0)
        try file.append(opening)
      }
      return ([], false)
    }
    var scanner = CSVScanner()
    var tags: [Tag] = []
    var isWhole = true
    try file.forEachPiece { piece in
      scanner.scan(piece) { fields in
        isWhole = isWhole && fields.count == CollectedRow.header.count
        // The header names no tag.
        if let tag = CollectedRow.tag(in: fields) { tags.append(tag) }
      }
    }
    // A quote too many takes the rows behind it for its own: they are not to be cut off.
    guard isWhole, !scanner.isTooLong, try !hasLineFeed(file, behind: scanner.end) else {
      throw CollectedFileError.cannotWrite(path, reason: Self.damage)
    }
    guard scanner.isTorn else { return (tags, false) }
    let end = scanner.end
    var last: Tag?
    scanner.scan([0x0A] as [UInt8]) { fields in last = CollectedRow.lastTag(in: fields) }
    guard let tag = last else {
      if !isDry { try file.truncate(to: end) }
      return (tags, !isDry)
    }
    if !isDry { try file.append([0x0A]) }
    return (tags + [tag], false)
  }

  /// Why a file is refused that has other rows than ours.
  static let damage =
    "a row in it is not as nfcprog writes rows (look for a misplaced quote), and it was not changed"

  private static func hasLineFeed(_ file: AppendedFile, behind end: UInt64) throws -> Bool {
    try file.handle.seek(toOffset: end)
    return try file.handle.readToEnd()?.contains(0x0A) ?? false
  }

  /// Appends the row of a tag, on the disk when this returns.
  func append(_ row: CollectedRow) throws(CollectedFileError) {
    guard !isDry else { return }
    try CollectedFileError.catching(path) {
      try file.withLock { try $0.append(CSV.record(row.fields)) }
    }
  }
}
