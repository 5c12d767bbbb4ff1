import Foundation
import GRDB
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A CSV file with a row for every finished tag, each once, for the printing of labels.
///
/// A row is appended after the journal has the tag. What a crash kept from being appended is added when the file is
/// opened again, and a row that was cut short is taken away first. Threads and processes may share the file.
public final class LabelFile: Sendable {
  /// What was mended when the file was opened.
  public struct Mending: Hashable, Sendable {
    /// Rows that were missing and were added.
    public internal(set) var added = 0
    /// Whether the last row had been cut short.
    public internal(set) var wasTorn = false
    /// Rows of tags that the journal does not have as finished, or no longer.
    public internal(set) var strangers = 0
  }

  public let path: String
  public let mending: Mending
  private let session: JournalSession
  private let handle: Mutex<FileHandle>
  private let columns: [String]

  /// Opens the file, or makes it, and brings it to what the journal has. Jobs must have been adopted before.
  public init(at path: String, of session: JournalSession) throws(LabelError) {
    self.path = path
    self.session = session
    let handle = try Self.open(path)
    self.handle = Mutex(handle)
    let names = try LabelError.catching(path) { try session.journal.columnNames() }
    columns = names
    mending = try LabelError.catching(path) {
      try Self.locked(handle) { try Self.mend(handle, path, LabelRow.header(names), session) }
    }
  }

  /// Appends the tag's row, on the disk when this returns; a tag that is written once more has its row already.
  public func append(_ written: WrittenTag) throws(LabelError) {
    try LabelError.catching(path) {
      guard try session.journal.timesWritten(written) < 2 else { return }
      let row = LabelRow.fields(written, columns)
      try handle.withLock { handle in
        try Self.locked(handle) { try Self.append(CSV.record(row), to: handle) }
      }
    }
  }

  private static func open(_ path: String) throws(LabelError) -> FileHandle {
    try LabelError.catching(path) {
      if !FileManager.default.fileExists(atPath: path) {
        // When another process was quicker this fails, and the file is there.
        try? Data().write(to: URL(filePath: path), options: .withoutOverwriting)
      }
      return try FileHandle(forUpdating: URL(filePath: path))
    }
  }

  /// Runs `body` while no other process appends.
  private static func locked<Value>(_ handle: FileHandle, _ body: () throws -> Value) throws
    -> Value
  {
    while flock(handle.fileDescriptor, LOCK_EX) != 0, errno == EINTR {}
    defer { _ = flock(handle.fileDescriptor, LOCK_UN) }
    return try body()
  }

  private static func append(_ bytes: [UInt8], to handle: FileHandle) throws {
    let end = try handle.seekToEnd()
    do {
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
    } catch {
      // A part of a row is worse than none: it is added when the file is opened again.
      try? handle.truncate(atOffset: end)
      throw error
    }
  }

  private static func mend(
    _ handle: FileHandle, _ path: String, _ header: [String], _ session: JournalSession
  ) throws -> Mending {
    var mending = Mending()
    var missing = try session.journal.tagsToLabel(for: session)
    var scanner = CSVScanner()
    var found: [String]?
    try handle.seek(toOffset: 0)
    while let piece = try handle.read(upToCount: 65_536), !piece.isEmpty {
      scanner.scan(piece) { fields in
        guard found != nil else {
          found = fields
          return
        }
        if !missing.strike(fields) { mending.strangers += 1 }
      }
      guard found == nil || found == header else { throw LabelError.otherFile(path) }
    }
    mending.wasTorn = scanner.isTorn
    if scanner.isTorn {
      // Without a whole header it is ours only when it is the beginning of one.
      try handle.seek(toOffset: 0)
      let start = try found == nil ? handle.readToEnd() ?? Data() : Data()
      guard CSV.record(header).starts(with: start) else { throw LabelError.otherFile(path) }
      try handle.truncate(atOffset: scanner.end)
    }
    if found == nil { try append(CSV.record(header), to: handle) }
    var rows: [UInt8] = []
    try session.journal.forEachWritten { written in
      guard missing.contains(written) else { return }
      rows += CSV.record(LabelRow.fields(written, Array(header.dropFirst(LabelRow.own.count))))
      mending.added += 1
      guard rows.count > 65_536 else { return }
      try append(rows, to: handle)
      rows = []
    }
    if !rows.isEmpty { try append(rows, to: handle) }
    return mending
  }
}
