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
/// A row is on the disk before the tag's verdict is told. A file that is there goes on; a row that
/// was cut short, as by a power cut, is taken away first: its tag had no verdict.
package final class CollectedFile: Sendable {
  /// A tag in the file, and the message that it held.
  struct Tag: Hashable {
    let uid: UID
    let message: [UInt8]
  }

  package let path: String
  /// The tags that it had when it was opened.
  let earlier: [Tag]
  /// Is true if its last row had been cut short.
  package let wasTorn: Bool
  private let file: Mutex<AppendedFile>

  /// Opens the file, or makes it. One process at a time has it.
  package init(at path: String) throws(CollectedFileError) {
    self.path = path
    let opened: AppendedFile
    (opened, earlier, wasTorn) = try CollectedFileError.catching(path) {
      let file = try AppendedFile(path)
      guard flock(file.handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw CollectedFileError.locked(path)
      }
      let (tags, wasTorn) = try Self.check(file, path)
      return (file, tags, wasTorn)
    }
    file = Mutex(opened)
  }

  /// The tags in the file, once it ends with a whole row.
  private static func check(_ file: AppendedFile, _ path: String) throws -> ([Tag], Bool) {
    let opening = CSV.record(CollectedRow.header)
    guard try file.beginning().starts(with: opening) else {
      // The beginning of the first line may be all that a power cut has left of it.
      guard opening.starts(with: try file.beginning()) else {
        throw CollectedFileError.otherFile(path)
      }
      try file.truncate(to: 0)
      try file.append(opening)
      return ([], false)
    }
    var scanner = CSVScanner()
    var tags: [Tag]?
    try file.forEachPiece { piece in
      scanner.scan(piece) { fields in
        guard tags != nil else {
          tags = []
          return
        }
        if let tag = CollectedRow.tag(in: fields) { tags?.append(tag) }
      }
    }
    if scanner.isTorn { try file.truncate(to: scanner.end) }
    return (tags ?? [], scanner.isTorn)
  }

  /// Appends the row of a tag, on the disk when this returns.
  func append(_ row: CollectedRow) throws(CollectedFileError) {
    try CollectedFileError.catching(path) {
      try file.withLock { try $0.append(CSV.record(row.fields)) }
    }
  }
}
