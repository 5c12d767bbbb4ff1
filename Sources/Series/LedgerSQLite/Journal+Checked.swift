import CardCrypto
import Foundation
import GRDB
import JobLists

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

  /// The jobs that are on tags, or may be, by the texts of their messages.
  package func jobsOnTags() throws(JournalError) -> [String: Int] {
    try jobsByTexts("WHERE state IN ('reserved', 'written')")
  }

  /// All jobs, or those of which `condition` holds, by the texts of their messages.
  package func jobsByTexts(_ condition: String = "") throws(JournalError) -> [String: Int] {
    try read { db in
      var jobs: [String: Int] = [:]
      let rows = try Row.fetchCursor(db, sql: "SELECT number, records FROM job \(condition)")
      while let row = try rows.next() { jobs[row[1]] = row[0] }
      return jobs
    }
  }

  /// Returns whether no job was ever reserved for a tag.
  package func isUntouched() throws(JournalError) -> Bool {
    try read { db in
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM event WHERE kind = 'reserved')")
        ?? true
    }
  }

  /// The digest of the source with its first `count` jobs; nil when it has fewer.
  package func listDigest(first count: Int) throws(JournalError) -> [UInt8]? {
    try openListDigest(first: count)?.finalize()
  }

  /// Opens the digest of the source with its first `count` jobs, to go on with the rows behind
  /// them; nil when it has fewer.
  package func openListDigest(first count: Int) throws(JournalError) -> ListDigest? {
    try read { db in
      let source = try Row.fetchOne(db, sql: "SELECT kind, settings FROM source")
      let digest = ListDigest(kind: source?["kind"] ?? "", settings: source?["settings"] ?? "")
      let sql = "SELECT row_digest FROM job ORDER BY number LIMIT ?"
      let rows = try Data.fetchCursor(db, sql: sql, arguments: [count])
      var found = 0
      while let row = try rows.next() {
        digest.add(Array(row))
        found += 1
      }
      return found == count && count > 0 ? digest : nil
    }
  }

  /// The digest of the rows of the first `count` jobs and their messages, whatever the tags are
  /// that they are for and whether those are locked; nil when there are fewer jobs.
  package func messagesDigest(first count: Int) throws(JournalError) -> [UInt8]? {
    try read { db in
      let digest = ListDigest(kind: "messages", settings: "")
      let sql = "SELECT records, columns FROM job ORDER BY number LIMIT ?"
      let rows = try Row.fetchCursor(db, sql: sql, arguments: [count])
      var found = 0
      while let row = try rows.next() {
        let (records, columns): (String, String) = (row[0], row[1])
        digest.add(Array(records.utf8) + [0] + Array(columns.utf8) + [0])
        found += 1
      }
      return found == count && count > 0 ? digest.finalize() : nil
    }
  }
}

/// SHA-256 over a list's kind and settings and the digests of its rows: by that two lists are known
/// to be the same.
package final class ListDigest {
  private let hash = SHA256()

  /// `settings`: `[["name","value"],…]`; how the list is written does not count.
  package init(kind: String, settings: String) {
    for text in [kind, SourceDescription.withoutDialect(settings)] {
      hash.update(Array(text.utf8) + [0])
    }
  }

  /// Adds what the next row says.
  package func add(_ row: [UInt8]) { hash.update(row) }

  package func finalize() -> [UInt8] { hash.finalize() }

  /// As `finalize`, of a list to which rows are added.
  package var soFar: [UInt8] { hash.soFar }
}
