import Foundation
import GRDB

extension Journal {
  /// The journal at `path`, ready for use; or a copy of it, where reading it would need to write
  /// beside it.
  static func connect(_ path: String, _ access: Access, _ busyTimeout: Double) throws(JournalError)
    -> (DatabaseQueue, JournalCopy?)
  {
    do throws(JournalError) {
      return (try openMade(path, access, busyTimeout), nil)
    } catch {
      switch error {
      case .readOnly, .cannotOpen:
        guard access == .readOnly, let copy = JournalCopy(of: path) else { throw error }
        return (try open(copy.path, as: path, access, busyTimeout), copy)
      default: throw error
      }
    }
  }

  private static func openMade(
    _ path: String, _ access: Access, _ busyTimeout: Double
  ) throws(JournalError) -> DatabaseQueue {
    try whenReady(path, busyTimeout) { () throws(JournalError) in
      try open(path, as: path, access, busyTimeout)
    }
  }

  /// A connection that looks at the journal at `path` beside the one that changes it.
  static func reader(_ path: String, _ busyTimeout: Double) throws(JournalError) -> DatabaseQueue {
    try whenReady(path, busyTimeout) { () throws(JournalError) in
      try JournalError.catching(path) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.label = "journal reader"
        distrustSchema(&configuration)
        return try DatabaseQueue(path: path, configuration: configuration)
      }
    }
  }

  /// Opens a journal that another process may be making, or closing, at this moment: the file then
  /// has no tables yet, or SQLite refuses at once, without the busy timeout.
  private static func whenReady(
    _ path: String, _ busyTimeout: Double, _ open: () throws(JournalError) -> DatabaseQueue
  ) throws(JournalError) -> DatabaseQueue {
    let start = ContinuousClock.now
    while true {
      do throws(JournalError) {
        return try open()
      } catch {
        let patience =
          error == .holdsNothing(path) ? 2 : error == .busy(path) ? busyTimeout : 0
        guard start.duration(to: .now) < .seconds(patience) else { throw error }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }
  }

  /// The journal that lies at `place` and is called `path`.
  static func open(
    _ place: String, as path: String, _ access: Access, _ busyTimeout: Double
  ) throws(JournalError) -> DatabaseQueue {
    try JournalError.catching(path) {
      var configuration = Configuration()
      configuration.readonly = access == .readOnly
      configuration.busyMode = .timeout(busyTimeout)
      configuration.label = "journal"
      distrustSchema(&configuration)
      let database = try DatabaseQueue(path: place, configuration: configuration)
      let hasTables = try database.read { db in try isComplete(db, path) }
      if hasTables { try database.read { db in try checkTables(db, path) } }
      if access == .readOnly {
        guard hasTables else { throw JournalError.holdsNothing(path) }
      } else {
        try prepare(database, isComplete: hasTables)
      }
      return database
    }
  }

  /// Nothing that stands in a file's schema may do more than SQLite's harmless functions do: the
  /// file may be somebody else's.
  private static func distrustSchema(_ configuration: inout Configuration) {
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA trusted_schema = OFF") }
  }

  /// Throws where a table is another than this version's: its columns may hold anything then.
  private static func checkTables(_ db: Database, _ path: String) throws {
    let wanted = try tables.get()
    let there = try schema(db)
    guard let wrong = wanted.keys.sorted().first(where: { wanted[$0] != there[$0] }) else { return }
    throw JournalError.damaged(
      path,
      reason: "its \(wrong) \(there[wrong] == nil ? "is missing" : "is another than nfcprog's")")
  }

  /// The tables of this version.
  private static let tables = Result {
    let fresh = try DatabaseQueue()
    try migrator.migrate(fresh)
    return try fresh.read(schema).filter { $0.key.hasPrefix("table ") }
  }

  /// Returns whether the tables are there. Another program's database, or a later version's, throws
  /// and is left as it is.
  private static func isComplete(_ db: Database, _ path: String) throws -> Bool {
    let mark = try Int32.fetchOne(db, sql: "PRAGMA application_id")
    if mark == applicationID {
      let made = try versions(db)
      guard made.isDisjoint(with: earlierVersions) else { throw JournalError.earlierVersion(path) }
      guard made.isSubset(of: migrator.migrations) else { throw JournalError.laterVersion(path) }
      return made.isSuperset(of: migrator.migrations)
    }
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
    guard mark == 0, tables == 0 else { throw JournalError.notAJournal(path) }
    return false
  }

  /// The versions of the tables that are there. GRDB looks for their names and, after a failure,
  /// whether they have a table, which another process may have made between the two.
  private static func versions(_ db: Database) throws -> Set<String> {
    do {
      return try migrator.appliedIdentifiers(db)
    } catch {
      return try migrator.appliedIdentifiers(db)
    }
  }

  private static func prepare(_ database: DatabaseQueue, isComplete: Bool) throws {
    try database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      // A commit is on the disk when it returns; macOS needs to be asked for that in so many words.
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
      if !isComplete { try db.execute(sql: "PRAGMA application_id = \(applicationID)") }
    }
    if !isComplete { try makeTables(database) }
  }

  /// Makes the tables, each version in a transaction of its own. Another process may make them at
  /// the same moment: what this one then makes a second time fails, changes nothing, and it goes on
  /// with the versions that are still missing.
  static func makeTables(_ database: DatabaseQueue) throws {
    while true {
      let before = try database.read(versions)
      do {
        return try migrator.migrate(database)
      } catch {
        guard try database.read(versions) != before else { throw error }
      }
    }
  }
}

/// A copy of a journal and its log, or a journal that was made to be looked at, in a folder of its
/// own, which goes with it.
package final class JournalCopy: Sendable {
  private let folder: URL
  var path: String { folder.appending(path: "journal").path }

  /// Nil when it cannot be made.
  init?(of path: String) {
    guard let made = Self.makeFolder() else { return nil }
    folder = made
    do {
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: self.path + suffix)
      }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      return nil
    }
  }

  private static func makeFolder() -> URL? {
    // Where temporary files go by right may be another user's.
    let places = [FileManager.default.temporaryDirectory, URL(filePath: "/var/tmp")]
    let name = "nfcprog-\(UUID().uuidString)"
    return places.lazy.map { $0.appending(path: name) }.first {
      let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
      return
        (try? FileManager.default.createDirectory(
          at: $0, withIntermediateDirectories: false, attributes: attributes)) != nil
    }
  }

  /// A journal that `fill` fills, called `name`. Throws as it does, or when there is no place for
  /// one.
  package init(
    named name: String, fill: (Journal) throws(JournalError) -> Void
  ) throws(JournalError) {
    guard let folder = Self.makeFolder() else {
      throw .cannotOpen(name, reason: "no copy of it can be made here")
    }
    self.folder = folder
    try fill(Journal(file: path, access: .readWrite(creating: true)))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
