import Foundation
import GRDB
import JSON
import TagMemory

/// Which keys a tag gets, and which it had: said without a secret.
package struct GivenKeys: Hashable, Sendable {
  package let keys: KeyRing.Identity
  package let before: KeyRing.Identity

  package init(keys: KeyRing.Identity, before: KeyRing.Identity) {
    (self.keys, self.before) = (keys, before)
  }
}

extension GivenKeys {
  /// As an event has them: the two, each as pairs of a name and a value.
  package var stored: String {
    func text(_ ring: KeyRing.Identity) -> String {
      JSONText.pairs([
        ("scheme", ring.scheme), ("master", ring.master), ("name", ring.name),
        ("version", "\(ring.version)"), ("meta_read", "\(ring.metaRead)"),
        ("file_read", "\(ring.fileRead)"),
      ])
    }
    return "[\(text(keys)),\(text(before))]"
  }

  /// Nil for what is none.
  package init?(stored: String) {
    let rings = (try? JSONDecoder().decode([[[String]]].self, from: Data(stored.utf8))) ?? []
    func identity(_ pairs: [[String]]) -> KeyRing.Identity? {
      let values = pairs.compactMap(\.last)
      let numbers = values.dropFirst(3).compactMap { UInt8($0) }
      guard values.count == 6, numbers.count == 3 else { return nil }
      return KeyRing.Identity(
        scheme: values[0], master: values[1], name: values[2], version: numbers[0],
        metaRead: numbers[1], fileRead: numbers[2])
    }
    guard rings.count == 2, let keys = identity(rings[0]), let before = identity(rings[1]) else {
      return nil
    }
    self.init(keys: keys, before: before)
  }
}

extension Journal {
  /// Writes down which keys the tag of a job is to get, by the event of this number.
  package static func note(
    _ given: GivenKeys, by event: Int64, ofJob number: Int, in db: Database
  ) throws {
    try db.cachedStatement(
      sql: "INSERT INTO keys_given (event, job, keys, before) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [
      event, number, try Self.number(of: given.keys, in: db),
      try Self.number(of: given.before, in: db),
    ])
  }

  /// The row of `identity`, which is made where there is none.
  private static func number(of identity: KeyRing.Identity, in db: Database) throws -> Int64 {
    let values: StatementArguments = [
      identity.scheme, identity.master, identity.name, Int(identity.version),
      Int(identity.metaRead), Int(identity.fileRead),
    ]
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO key_ring (scheme, master, name, version, meta_read, file_read)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: values)
    let found = try db.cachedStatement(
      sql: """
        SELECT id FROM key_ring WHERE scheme = ? AND master = ? AND name = ? AND version = ?
          AND meta_read = ? AND file_read = ?
        """)
    guard let number = try Int64.fetchOne(found, arguments: values) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT)
    }
    return number
  }

  /// All keys that tags were given, or were about to be.
  package func keysGiven() throws(JournalError) -> [KeyRing.Identity] {
    try read { db in
      let sql = """
        SELECT * FROM key_ring WHERE id IN (SELECT keys FROM keys_given) ORDER BY id
        """
      return try Row.fetchAll(db, sql: sql).map { try Self.identity($0) }
    }
  }

  /// The keys that the tag of this job was given last, or was about to be; nil where it got none.
  package func keys(ofJob number: Int) throws(JournalError) -> GivenKeys? {
    try read { db in
      try Self.keys(
        "WHERE keys_given.job = ? ORDER BY keys_given.event DESC LIMIT 1", [number], in: db)
    }
  }

  /// Returns the keys that the event of this number has given; nil where it gave none.
  package static func keys(byEvent number: Int64, in db: Database) throws -> GivenKeys? {
    try keys("WHERE keys_given.event = ?", [number], in: db)
  }

  private static func keys(
    _ condition: String, _ values: StatementArguments, in db: Database
  ) throws -> GivenKeys? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT after.*, prior.scheme AS was_scheme, prior.master AS was_master, prior.name AS was_name,
          prior.version AS was_version, prior.meta_read AS was_meta_read, prior.file_read AS was_file_read
        FROM keys_given JOIN key_ring AS after ON after.id = keys_given.keys
          JOIN key_ring AS prior ON prior.id = keys_given.before \(condition)
        """)
    return try Row.fetchOne(statement, arguments: values).map { row in
      GivenKeys(keys: try identity(row), before: try identity(row, "was_"))
    }
  }

  package static func identity(_ row: Row, _ prefix: String = "") throws -> KeyRing.Identity {
    func byte(_ name: String) throws -> UInt8 {
      guard let value = UInt8(exactly: row[prefix + name] as Int) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT)
      }
      return value
    }
    return KeyRing.Identity(
      scheme: row[prefix + "scheme"], master: row[prefix + "master"], name: row[prefix + "name"],
      version: try byte("version"), metaRead: try byte("meta_read"),
      fileRead: try byte("file_read"))
  }
}
