import CardCrypto
import GRDB

/// What has been seen on which line: the first things in memory, up to some 80 megabytes, those of
/// a longer list in a temporary file, which is ten times as slow.
package final class Duplicates {
  private let database: DatabaseQueue
  private var table = SeenTable()
  /// How many things are kept in memory: those of a list of 1.2 million rows.
  private let limit: Int

  /// Fails where no temporary file can be made.
  package init(limit: Int = 2_500_000) throws(JobSourceError) {
    self.limit = limit
    do {
      var configuration = Configuration()
      // One transaction spans all of the check.
      configuration.allowsUnsafeTransactions = true
      // SQLite keeps a database without a name in a temporary file, which goes with the connection.
      database = try DatabaseQueue(path: "", configuration: configuration)
      try database.inDatabase { database in
        try database.execute(
          sql: """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384;
            CREATE TABLE seen (a INTEGER, b INTEGER, line INTEGER NOT NULL, PRIMARY KEY (a, b))
              WITHOUT ROWID;
            BEGIN
            """)
      }
    } catch {
      throw Self.failure(error)
    }
  }

  /// The line on which `bytes` were seen first; nil when that is this one. `kind` keeps different
  /// things apart.
  package func line(ofFirst bytes: [UInt8], kind: UInt8, on line: Int) throws(JobSourceError)
    -> Int?
  {
    // 96 bits of a cryptographic hash, and 128 in the file: no two things of a list have the same.
    let hash = SHA256()
    hash.update([kind])
    hash.update(bytes)
    var words: (UInt64, UInt64) = (0, 0)
    for (index, byte) in hash.finalize().enumerated().prefix(16) {
      if index < 8 {
        words.0 = words.0 << 8 | UInt64(byte)
      } else {
        words.1 = words.1 << 8 | UInt64(byte)
      }
    }
    let isFull = table.count >= limit
    let rest = UInt32(truncatingIfNeeded: words.1)
    let first = table.line(of: words.0, rest, on: UInt32(clamping: line), closed: isFull)
    if first != nil || !isFull { return first.map { Int($0) } }
    let key = [Int64(bitPattern: words.0), Int64(bitPattern: words.1)]
    do {
      return try database.inDatabase { database in
        let insert = try database.cachedStatement(
          sql: "INSERT OR IGNORE INTO seen VALUES (?, ?, ?)")
        try insert.execute(arguments: [key[0], key[1], line])
        guard database.changesCount == 0 else { return nil }
        return try Int.fetchOne(
          database, sql: "SELECT line FROM seen WHERE a = ? AND b = ?", arguments: [key[0], key[1]])
      }
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: any Error) -> JobSourceError {
    JobSourceError(.noRoom, "The list cannot be checked for duplicates: \(error).")
  }
}
