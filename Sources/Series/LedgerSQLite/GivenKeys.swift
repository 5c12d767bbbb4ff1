import GRDB
import TagMemory

/// Which keys a tag gets, and which it had: said without a secret.
package struct GivenKeys: Hashable, Sendable {
  package let keys: KeyRing.Identity
  package let before: KeyRing.Identity

  package init(keys: KeyRing.Identity, before: KeyRing.Identity) {
    (self.keys, self.before) = (keys, before)
  }
}

extension JournalSession {
  /// Writes down which keys the tag of `reservation` is to get.
  func note(_ given: GivenKeys?, _ reservation: Reservation, in db: Database) throws {
    guard let given else { return }
    try db.cachedStatement(
      sql: "INSERT INTO keys_given (event, job, keys, before) VALUES (?, ?, ?, ?)"
    )
    .execute(arguments: [
      reservation.token, reservation.job.number, try number(of: given.keys, in: db),
      try number(of: given.before, in: db),
    ])
  }

  /// The row of `identity`, which is made where there is none.
  private func number(of identity: KeyRing.Identity, in db: Database) throws -> Int64 {
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
}

extension Journal {
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
      let statement = try db.cachedStatement(
        sql: """
          SELECT after.*, prior.scheme AS was_scheme, prior.master AS was_master, prior.name AS was_name,
            prior.version AS was_version, prior.meta_read AS was_meta_read, prior.file_read AS was_file_read
          FROM keys_given JOIN key_ring AS after ON after.id = keys_given.keys
            JOIN key_ring AS prior ON prior.id = keys_given.before
          WHERE keys_given.job = ? ORDER BY keys_given.event DESC LIMIT 1
          """)
      return try Row.fetchOne(statement, arguments: [number]).map { row in
        GivenKeys(keys: try Self.identity(row), before: try Self.identity(row, "was_"))
      }
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
