import Crypto
import GRDB

/// What has been seen on which line. It is kept in a temporary file: the memory it takes does not grow with the list.
final class Duplicates {
  private let database: DatabaseQueue

  /// Fails where no temporary file can be made.
  init() throws(JobSourceError) {
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

  /// The line on which `bytes` were seen first; nil when that is this one. `kind` keeps different things apart.
  func line(ofFirst bytes: [UInt8], kind: UInt8, on line: Int) throws(JobSourceError) -> Int? {
    // 128 bits of a cryptographic hash: no two things of a list have the same.
    let hash = Array(SHA256.hash(data: [kind] + bytes))
    let key = [hash[..<8], hash[8..<16]].map { $0.reduce(Int64(0)) { $0 << 8 | Int64($1) } }
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
