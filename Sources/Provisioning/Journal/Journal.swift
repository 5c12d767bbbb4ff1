import Foundation
import GRDB
import LedgerPostgreSQL
import Synchronization

/// The record of a series: which job is on which tag, kept so that no job is lost and none is on
/// two tags, whenever the process or the machine stops.
///
/// A SQLite file with a write-ahead log, every commit on the disk before the call returns. Threads
/// and processes of one machine may share it. `Docs/Formats.md` describes its tables for auditors.
public final class Journal: Sendable {
  /// What the journal is opened for.
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
  let clock: @Sendable () -> Int64
  /// The bench of a pool that this journal is the outbox of.
  let benchOfPool = Mutex(WeakPoolBench())
  /// Where a journal was copied to that may be read and lies where nothing may be written.
  private let copy: JournalCopy?
  /// Whether it shows what the journal was when it was opened.
  package var isCopy: Bool { copy != nil }

  /// Opens the journal at `path`; to look only, `path` may be a pool's address, of which a copy is
  /// made. Throws when it cannot be opened, is no journal or one of a later
  /// version.
  public convenience init(at path: String, access: Access) throws(JournalError) {
    try self.init(at: path, access: access, busyTimeout: 10) {
      Int64((Date().timeIntervalSince1970 * 1000).rounded())
    }
  }

  init(at path: String, access: Access, busyTimeout: Double, clock: @escaping @Sendable () -> Int64)
    throws(JournalError)
  {
    self.clock = clock
    guard !PoolAddress.isAddress(path) else {
      // What follows may be a password.
      self.path = PoolSeries.shown(path)
      guard access == .readOnly else {
        throw .cannotOpen(
          self.path, reason: "it is the address of a database, and this takes a journal's file")
      }
      let copied = try JournalCopy(of: PoolSeries.address(path))
      (database, _) = try Self.connect(copied.path, access, busyTimeout)
      (copy, reader, commits, watch) = (copied, database, GroupCommit(database), nil)
      return
    }
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

  /// A batch of a pool as it is at one moment, to look at.
  package init(copying pool: PoolAddress) throws(JournalError) {
    path = pool.description
    // Nothing is written.
    clock = { 0 }
    let copied = try JournalCopy(of: pool)
    (database, _) = try Self.connect(copied.path, .readOnly, 10)
    (copy, reader, commits, watch) = (copied, database, GroupCommit(database), nil)
  }

  /// The bench of a pool that this journal is the outbox of, while one works with it.
  var pool: PoolBench? { benchOfPool.withLock { $0.bench } }

  /// Throws when the journal's file was deleted or replaced since it was opened: what is committed
  /// then is lost.
  func checkFile() throws(JournalError) { try watch?.check() }

  /// Looks at one moment of the journal.
  package func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.catching(path) { try reader.read(body) }
  }

  /// Changes the journal in one transaction that no other writer's comes between; on the disk when
  /// this returns. Changes of several threads may share a commit. Throws, and changes nothing, when
  /// the file is not the one that was opened.
  func write<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.catching(path) {
      try commits.write(checking: { try checkFile() }, body)
    }
  }
}

/// The bench owns its journal, and so not the other way round.
struct WeakPoolBench { weak var bench: PoolBench? }
