import GRDB

/// What a journal that is a bench's keeps for the others.
extension Journal {
  /// Whether the pool's claims decide which jobs may be given to tags.
  func isBench(_ db: Database) throws -> Bool {
    try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM pool)")) ?? false
  }

  /// The pool does not hear of this event: it knows better.
  package func untell(_ event: Int64, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM pool_outbox WHERE event = ?")
      .execute(arguments: [event])
  }
}
