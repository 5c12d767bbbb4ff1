import Foundation
import GRDB

/// The record of a series: which job is on which tag, kept so that no job is lost and none is on two tags,
/// whenever the process or the machine stops.
///
/// A SQLite file with a write-ahead log, every commit on the disk before the call returns. Threads and
/// processes of one machine may share it. `Docs/Formats.md` describes its tables for auditors.
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
  let database: DatabaseQueue
  /// Milliseconds since 1970. Times are for people; order is that of the rows.
  let clock: @Sendable () -> Int64

  /// Opens the journal at `path`. Throws when it cannot be opened, is no journal or one of a later version.
  public convenience init(at path: String, access: Access) throws(JournalError) {
    try self.init(at: path, access: access, busyTimeout: 10) {
      Int64((Date().timeIntervalSince1970 * 1000).rounded())
    }
  }

  init(at path: String, access: Access, busyTimeout: Double, clock: @escaping @Sendable () -> Int64)
    throws(JournalError)
  {
    self.path = path
    self.clock = clock
    let isThere = FileManager.default.fileExists(atPath: path)
    guard isThere || access == .readWrite(creating: true) else { throw .missing(path) }
    database = try JournalError.catching(path) {
      var configuration = Configuration()
      configuration.readonly = access == .readOnly
      configuration.busyMode = .timeout(busyTimeout)
      configuration.label = "journal"
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    try JournalError.catching(path) { try prepare(access) }
  }

  /// Whose file it is comes first: another program's database is left as it is.
  private func prepare(_ access: Access) throws {
    let migrator = Self.migrator
    let isNew = try database.read { db in
      let mark = try Int32.fetchOne(db, sql: "PRAGMA application_id")
      if mark == Self.applicationID {
        let unknown = try migrator.appliedIdentifiers(db).subtracting(migrator.migrations)
        guard unknown.isEmpty else { throw JournalError.laterVersion(path) }
        return try !migrator.hasCompletedMigrations(db)
      }
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
      guard mark == 0, tables == 0, access != .readOnly else {
        throw JournalError.notAJournal(path)
      }
      return true
    }
    guard access != .readOnly else { return }
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      // A commit is on the disk when it returns; macOS needs to be asked for that in so many words.
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
    }
    guard isNew else { return }
    do {
      try migrator.migrate(database)
    } catch {
      // Another process may have made the tables at the same moment.
      guard try database.read(migrator.hasCompletedMigrations) else { throw error }
    }
  }

  /// Looks at one moment of the journal.
  func read<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.catching(path) { try database.read(body) }
  }

  /// Changes the journal in one transaction that no other writer's comes between.
  func write<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
    try JournalError.catching(path) { try database.write(body) }
  }
}
