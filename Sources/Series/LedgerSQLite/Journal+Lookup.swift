import Bytes
import Foundation
import GRDB
import JSON
import JobLists
import NDEF
import TagMemory

extension Journal {
  /// The one type of tag that every job is for; nil where a job is for any, or two are for
  /// different ones.
  package func onlyTagType() throws(JournalError) -> String? {
    try read { db in
      let types = try Row.fetchAll(db, sql: "SELECT DISTINCT wanted_tag FROM job LIMIT 2")
      return types.count == 1 ? WantedTag(stored: types[0]["wanted_tag"]).type : nil
    }
  }

  /// What the list says of one tag.
  package enum ListedTag: Hashable, Sendable {
    /// Rows are for any tag.
    case anyRow
    /// This row is for the tag.
    case row(PlannedJob)
    /// Each row is for one tag, and none for this one.
    case notListed
  }

  /// Returns which row of the list is for the tag with `uid`.
  package func row(for uid: UID) throws(JournalError) -> ListedTag {
    try read { db in
      let first = try db.cachedStatement(sql: "SELECT wanted_tag FROM job ORDER BY number LIMIT 1")
      guard let text = try String.fetchOne(first), WantedTag(stored: text).uid != nil else {
        return .anyRow
      }
      // An index has those that wait; the others are asked for by a person who lays a tag down that
      // is no row's, or is done.
      for state in [" AND state = 'pending'", ""] {
        let rows = try db.cachedStatement(
          sql: "SELECT * FROM job WHERE wanted_tag >= ? AND wanted_tag < ?\(state) LIMIT 1")
        let text = WantedTag.text(uid)
        if let row = try Row.fetchOne(rows, arguments: [text, text + "!"]) {
          return .row(try StoredJob.job(row))
        }
      }
      return .notListed
    }
  }

  /// How many jobs are on tags.
  package func tagCount() throws(JournalError) -> Int {
    try read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM job WHERE uid IS NOT NULL") ?? 0
    }
  }

  /// What the pool calls the bench whose journal this is; nil for a journal of its own.
  package func benchName() throws(JournalError) -> String? {
    try read { db in try String.fetchOne(db, sql: "SELECT bench FROM pool") }
  }

  /// The jobs whose row has `value` in the column `name`, with their states; eight at most.
  ///
  /// The journal is looked through from its beginning, which takes some tenths of a second for a
  /// million jobs: a person with a scanner does not notice.
  package func jobs(whose name: String, is value: String) throws(JournalError) -> [(
    PlannedJob, String
  )] {
    // A quote inside of a value is escaped, so that this stands nowhere but in its column.
    let pair = JSONText.pairs([(name, value)]).dropFirst().dropLast()
    return try read { db in
      let sql = "SELECT * FROM job WHERE instr(columns, ?) > 0 ORDER BY number LIMIT 8"
      return try Row.fetchAll(db, sql: sql, arguments: [String(pair)])
        .map { (try StoredJob.job($0), $0["state"]) }
    }
  }

  /// Jobs that no tag has and whose message `isIt` says is this one; eight at most. Only those are
  /// asked for whose texts may make it.
  ///
  /// The rows that wait are looked through, about a second for a million: this is done for tags
  /// that hold something which the journal does not know.
  package func pendingJobs(
    making message: Message, _ isIt: (PlannedJob) -> Bool
  ) throws(JournalError) -> [PlannedJob] {
    let filter = RowFilter(message)
    return try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT records, number FROM job WHERE state = 'pending' ORDER BY number")
      var found: [PlannedJob] = []
      while found.count < 8, let row = try rows.next() {
        let number: Int = row[1]
        guard filter.mayMake(row[0], number) else { continue }
        let whole = try db.cachedStatement(sql: "SELECT * FROM job WHERE number = ?")
        let job = try Row.fetchOne(whole, arguments: [number]).map(StoredJob.job)
        if let job, isIt(job) { found.append(job) }
      }
      return found
    }
  }

  /// Jobs that no tag has and that are the memory with this digest of its data.
  package func jobs(ofMemory digest: [UInt8]) throws(JournalError) -> [PlannedJob] {
    try read { db in
      let sql = "SELECT * FROM job WHERE state = 'pending' AND instr(records, ?) > 0 LIMIT 8"
      return try Row.fetchAll(db, sql: sql, arguments: [Hex.string(digest)]).map(StoredJob.job)
        .filter { $0.message.imageDigest == digest }
    }
  }
}
