import Foundation
import GRDB
import Synchronization

/// The record of a series: which job is on which tag, kept so that no job is lost and none is on
/// two tags, whenever the process or the machine stops.
///
/// A SQLite file with a write-ahead log, every commit on the disk before the call returns. Threads
/// and processes of one machine may share it. `Docs/Formats.md` describes its tables for auditors.
public final class Journal: Sendable {
  /// The access says what the journal is opened for.
  public enum Access: Hashable, Sendable {
    /// To look only; the file must be there.
    case readOnly
    /// To work with; `creating`: make the file where there is none.
    case readWrite(creating: Bool)
  }

  /// As it was given.
  public let path: String
  /// What changes it.
  let database: DatabaseQueue
  /// What looks at it, beside a commit that waits for the disk.
  private let reader: DatabaseQueue
  private let commits: GroupCommit
  private let watch: JournalWatch?
  /// Milliseconds since 1970. Times are for people; order is that of the rows.
  package let clock: @Sendable () -> Int64
  private let bench = Mutex(Membership())
  /// What is looked at in place of a journal that lies where nothing may be written, or of a batch
  /// in a database.
  private let copy: JournalCopy?
  /// Is true if it shows what the journal was when it was opened.
  package var isCopy: Bool { copy != nil }

  /// Opens the journal's file at `path`. Throws when it cannot be opened, is no journal or one of a
  /// later version.
  package init(
    file path: String, access: Access, busyTimeout: Double = 10,
    clock: @escaping @Sendable () -> Int64 = Journal.now
  ) throws(JournalError) {
    self.clock = clock
    self.path = path
    let isThere = FileManager.default.fileExists(atPath: path)
    guard isThere || access == .readWrite(creating: true) else { throw .missing(path) }
    // SQLite calls that a failing disk.
    guard !JournalError.isFolder(path) else { throw .cannotOpen(path, reason: "it is a folder") }
    (database, copy) = try Self.connect(path, access, busyTimeout)
    reader = access == .readOnly ? database : try Self.reader(path, busyTimeout)
    commits = GroupCommit(database)
    watch = access == .readOnly ? nil : JournalWatch(path)
  }

  /// A copy that is looked at, by the name of what it is a copy of.
  package init(looking copy: JournalCopy, name: String) throws(JournalError) {
    (path, self.copy, clock) = (name, copy, Self.now)
    database = try Self.open(copy.path, as: name, .readOnly, 10)
    (reader, commits, watch) = (database, GroupCommit(database), nil)
  }

  /// One connection more that looks at what `journal` looks at.
  package convenience init(beside journal: Journal) throws(JournalError) {
    if let copy = journal.copy {
      try self.init(looking: copy, name: journal.path)
    } else {
      try self.init(file: journal.path, access: .readOnly, clock: journal.clock)
    }
  }

  /// Milliseconds since 1970.
  package static let now: @Sendable () -> Int64 = {
    Int64((Date().timeIntervalSince1970 * 1000).rounded())
  }

  /// The pool of which this journal is a bench's, while one works with it.
  package var pool: (any JobPool)? { bench.withLock { $0.pool } }

  /// Has `pool` decide, beside the journal, which jobs may go on tags. It owns the journal, and so
  /// not the other way round.
  package func join(_ pool: any JobPool) { bench.withLock { $0.pool = pool } }

  /// Throws when the journal's file was deleted or replaced since it was opened: what is committed
  /// then is lost.
  package func checkFile() throws(JournalError) { try watch?.check() }

  /// Looks at one moment of the journal.
  package func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.catching(path) { try reader.read(body) }
  }

  /// Ends what is being looked at, which fails then. Any thread may call.
  package func interrupt() { reader.interrupt() }

  /// Changes the journal in one transaction that no other writer's comes between; on the disk when
  /// this returns. Changes of several threads may share a commit. Throws, and changes nothing, when
  /// the file is not the one that was opened.
  package func write<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.catching(path) {
      try commits.write(checking: { try checkFile() }, body)
    }
  }
}

extension Journal {
  private struct Membership { weak var pool: (any JobPool)? }
}
