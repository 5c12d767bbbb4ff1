import GRDB
import Ledger

/// An inconsistency in a journal.
public struct Inconsistency: Hashable, Sendable {
  /// Stable, for programs: `state`, `same-tag`, …
  public let code: String
  /// A sentence.
  public let text: String
}

extension Journal {
  /// Looks through the whole journal for inconsistencies: a damaged file, tables that are not those
  /// of this version, jobs that contradict what happened. Empty when all is well. A kind of
  /// contradiction is listed twenty times at most, and then how many more there are. `facts`: look
  /// at the seal of every event, and at all that a job's row says of its tag, too; `messages`: also
  /// hold every row to its digest, make every message anew and compare it with what its tag holds.
  package func verify(facts: Bool = false, messages: Bool = false) throws(JournalError)
    -> [Inconsistency]
  {
    try read { db in
      let damage = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
      // What follows may trip over a damaged file.
      guard damage.isEmpty else {
        return damage.map { Inconsistency(code: "damaged", text: $0 + ".") }
      }
      var found = try foreignSchema(db)
      func add(_ code: String, _ texts: [String]) {
        found += texts.prefix(20).map { Inconsistency(code: code, text: $0) }
        guard texts.count > 20 else { return }
        found.append(Inconsistency(code: code, text: "And \(texts.count - 20) more like these."))
      }
      for check in Self.checks { add(check.code, try String.fetchAll(db, sql: check.sql)) }
      let contradictions = try contradictions(in: db)
      for found in contradictions where found.code != "fact" { add(found.code, found.texts) }
      if messages { add("row", try otherRows(in: db)) }
      if facts || messages, found.isEmpty {
        add("seal", try brokenSeals(in: db))
        if found.isEmpty, let facts = contradictions.last { add(facts.code, facts.texts) }
      }
      if messages, found.isEmpty { add("message", try otherMessages(in: db)) }
      return found
    }
  }

  /// Tables, indexes and triggers that are missing, changed or too many.
  private func foreignSchema(_ db: Database) throws -> [Inconsistency] {
    let fresh = try DatabaseQueue()
    try Self.migrator.migrate(fresh)
    let wanted = try fresh.read(Self.schema)
    let there = try Self.schema(db)
    return Set(wanted.keys).union(there.keys).sorted().filter { wanted[$0] != there[$0] }.map {
      let state =
        wanted[$0] == nil
        ? "does not belong here" : there[$0] == nil ? "is missing" : "was changed"
      return Inconsistency(code: "schema", text: "The \($0) \(state).")
    }
  }

  /// Returns what makes each table, index, view and trigger, by its kind and name.
  static func schema(_ db: Database) throws -> [String: String] {
    let sql = "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    let rows = try Row.fetchAll(db, sql: sql).map { ($0[0] as String, $0[1] as String) }
    return Dictionary(rows) { first, _ in first }
  }

  private typealias Check = (code: String, sql: String)

  /// Each gives a sentence for every row that is wrong.
  private static let checks: [Check] = [
    (
      // SQLite holds rows to the CHECKs of their tables only where it may write.
      "damaged",
      """
      SELECT 'Job ' || number || ' holds what its table does not allow.' FROM job WHERE NOT coalesce(
        number > 0 AND locks IN (0, 1) AND has_password IN (0, 1)
        AND state IN ('pending', 'reserved', 'written', 'failed') AND (state = 'pending' OR event IS NOT NULL)
        AND (uid IS NOT NULL) = (state IN ('reserved', 'written'))
        AND (message_digest IS NOT NULL) = (uid IS NOT NULL)
        AND (message_length IS NOT NULL) = (uid IS NOT NULL) AND coalesce(length(message_digest) = 32, 1)
        AND (uri IS NULL OR uid IS NOT NULL) AND (message IS NULL OR state = 'reserved')
        AND (is_locked IS NOT NULL) = (state = 'written') AND (is_protected IS NOT NULL) = (state = 'written')
        AND coalesce(is_locked IN (0, 1) AND is_protected IN (0, 1), 1), 0)
      """
    ),
    (
      "reference",
      """
      SELECT 'Row ' || coalesce(rowid, '?') || ' of ' || "table" || ' points at a row of ' || parent ||
        ' that does not exist.' FROM pragma_foreign_key_check
      """
    ),
    (
      "numbering",
      """
      SELECT 'The jobs are not numbered from 1 to ' || count(*) || '.' FROM job
      HAVING count(*) > 0 AND (min(number) <> 1 OR max(number) <> count(*))
      """
    ),
    (
      "source",
      """
      SELECT 'There are jobs, and no source.' WHERE EXISTS (SELECT 1 FROM job)
        AND NOT EXISTS (SELECT 1 FROM source)
      """
    ),
    (
      "same-tag",
      """
      SELECT 'Tag ' || hex(uid) || ' has ' || count(*) || ' jobs: ' || group_concat(number, ', ') || '.'
      FROM job NOT INDEXED WHERE uid IS NOT NULL GROUP BY uid HAVING count(*) > 1
      """
    ),
    (
      "same-message",
      """
      SELECT 'Jobs ' || group_concat(number, ', ') || ' have one message.'
      FROM job NOT INDEXED WHERE message_digest IS NOT NULL
      GROUP BY message_digest, (before IS NOT NULL) * number HAVING count(*) > 1
      """
    ),
    (
      // Events that were cut off at the end leave nothing else behind, where they changed no job.
      "told",
      """
      SELECT 'The pool has heard of event ' || heard || ', but the newest one here is ' || last || '.'
      FROM (SELECT max(told, heard) AS heard,
        (SELECT coalesce(max(id), 0) FROM event) AS last FROM pool) WHERE heard > last
      """
    ),
    (
      "scrap",
      """
      SELECT 'Tag ' || hex(scrap.uid) || ' is scrap, but ' || CASE WHEN number IS NOT NULL
        THEN 'job ' || number || ' is on it.' ELSE 'event ' || event.id || ' does not say so.' END
      FROM scrap JOIN event ON event.id = scrap.event LEFT JOIN job ON job.uid = scrap.uid
      WHERE number IS NOT NULL OR event.uid IS NOT scrap.uid OR NOT (
        event.kind IN ('returned', 'released') OR event.kind = 'passed' AND event.cause IS 'conflict')
      """
    ),
  ]
}
