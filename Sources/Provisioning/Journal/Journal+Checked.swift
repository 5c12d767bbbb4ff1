import CardCrypto
import Foundation
import GRDB

/// A list that was looked through and adopted: what it need not be looked through for again.
package struct CheckedList: Hashable, Sendable {
  /// SHA-256 of all that the check went by: the list's bytes, the settings, the program.
  package let digest: [UInt8]
  /// How many jobs there are.
  package let jobs: Int
  /// The longest message in bytes.
  package let longest: Int

  package init(digest: [UInt8], jobs: Int, longest: Int) {
    (self.digest, self.jobs, self.longest) = (digest, jobs, longest)
  }
}

extension Journal {
  /// The list that was checked and adopted last.
  package func checkedList() throws(JournalError) -> CheckedList? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM checked").map { row in
        let digest: Data = row["digest"]
        return CheckedList(digest: Array(digest), jobs: row["jobs"], longest: row["longest"])
      }
    }
  }

  /// Remembers that the list was checked and adopted.
  package func note(_ list: CheckedList) throws(JournalError) {
    try write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO checked VALUES (1, ?, ?, ?)",
        arguments: [Data(list.digest), list.jobs, list.longest])
    }
  }

  /// By what lists know this journal: 16 random bytes.
  package func name() throws(JournalError) -> [UInt8] {
    try read { db in
      guard let name = try Data.fetchOne(db, sql: "SELECT name FROM identity") else {
        throw JournalError.damaged(path, reason: "it has no name")
      }
      return Array(name)
    }
  }

  /// Whether no job was ever reserved for a tag.
  package func isUntouched() throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM event WHERE kind = 'reserved')")
        ?? true
    }
  }

  /// SHA-256 over the source's kind and settings and its first `count` jobs; nil when it has fewer.
  func listDigest(first count: Int) throws(JournalError) -> [UInt8]? {
    try read { db in
      let hash = SHA256()
      let source = try Row.fetchOne(db, sql: "SELECT kind, settings FROM source")
      for name in ["kind", "settings"] {
        hash.update(Data((source?[name] as String? ?? "").utf8) + [0])
      }
      let sql = "SELECT row_digest FROM job ORDER BY number LIMIT ?"
      let rows = try Data.fetchCursor(db, sql: sql, arguments: [count])
      var found = 0
      while let digest = try rows.next() {
        hash.update(digest)
        found += 1
      }
      return found == count && count > 0 ? hash.finalize() : nil
    }
  }
}
