import Foundation
import GRDB

/// What adopting a source came to.
public enum Adoption: Hashable, Sendable {
  /// The journal was empty and has these many jobs now.
  case imported(Int)
  /// The jobs are those that the journal has; `added` ones came at the end.
  case continued(Int, added: Int)
}

extension Journal {
  /// Takes the jobs of a source up, or makes sure that they are those that the journal has.
  ///
  /// `feed` gives every job of the source, in order, to the function that it is handed; what it throws ends the
  /// adoption with nothing adopted. Rows added at the end are taken up only when `extending`; every other change
  /// throws `sourceChanged`.
  public func adopt(
    _ source: SourceDescription, extending: Bool = false,
    feed: (_ take: (PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws(JournalError) -> Adoption {
    let adoption = try write { db in
      guard let known = try Row.fetchOne(db, sql: "SELECT kind, settings FROM source") else {
        return try importing(source, into: db, feed)
      }
      var difference = SourceDifference()
      difference.settings = try Self.differences(of: source, from: known)
      let (old, new) = try compare(in: db, noting: &difference, extending, feed)
      guard difference.isNone || (extending && difference.isAddition) else {
        throw JournalError.sourceChanged(difference)
      }
      return .continued(old + new, added: new)
    }
    if case .imported = adoption { shrinkLog() }
    return adoption
  }

  private func importing(
    _ source: SourceDescription, into db: Database,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws -> Adoption {
    try db.execute(
      sql: "INSERT INTO source VALUES (1, ?, ?, ?, ?)",
      arguments: [
        source.kind, source.name, JSONText.pairs(source.settings.map { ($0.name, $0.value) }),
        clock(),
      ])
    let insert = try db.makeStatement(sql: StoredJob.insertion)
    var count = 0
    try feed { (job) throws(JournalError) in
      try JournalError.catching(path) { try insert.execute(arguments: StoredJob.values(job)) }
      count += 1
    }
    return .imported(count)
  }

  /// Walks along the journal's jobs and the source's; returns how many were there, and how many were added.
  private func compare(
    in db: Database, noting difference: inout SourceDifference, _ extending: Bool,
    _ feed: ((PlannedJob) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws -> (Int, Int) {
    let known = try Row.fetchCursor(
      db, sql: "SELECT number, line, offset, name, row_digest FROM job ORDER BY number")
    let insert = try db.makeStatement(sql: StoredJob.insertion)
    let move = try db.makeStatement(sql: "UPDATE job SET line = ?, offset = ? WHERE number = ?")
    var (count, added, changes) = (0, 0, difference)
    try feed { (job) throws(JournalError) in
      try JournalError.catching(path) {
        guard let row = try known.next() else {
          added += 1
          if extending { try insert.execute(arguments: StoredJob.values(job)) }
          return
        }
        count += 1
        let digest: Data = row["row_digest"]
        if row["number"] != job.number || !digest.elementsEqual(job.digest) {
          changes.changed += 1
          guard changes.rows.count < SourceDifference.shown else { return }
          changes.rows.append(
            .init(number: job.number, line: job.line, was: row["name"], now: job.name))
        } else if row["line"] != job.line || row["offset"] != Int64(clamping: job.offset) {
          // The same rows in another place, such as after a longer header: passwords are read from there.
          try move.execute(arguments: [job.line, Int64(clamping: job.offset), job.number])
        }
      }
    }
    while try known.next() != nil { changes.removed += 1 }
    changes.added = added
    difference = changes
    return (count, extending ? added : 0)
  }

  private static func differences(of source: SourceDescription, from known: Row) throws -> [String]
  {
    var sentences: [String] = []
    let kind: String = known["kind"]
    if kind != source.kind { sentences.append("the source was \(kind), is \(source.kind)") }
    let was = try Dictionary(StoredJob.pairs(known["settings"])) { $1 }
    let now = Dictionary(source.settings.map { ($0.name, $0.value) }) { $1 }
    for name in Set(was.keys).union(now.keys).sorted() where was[name] != now[name] {
      let (old, new) = (was[name].map { "“\($0)”" }, now[name].map { "“\($0)”" })
      sentences.append(
        "\(name): was \(old ?? "not given"), is \(new ?? "not given")".escapingControls)
    }
    return sentences
  }

  /// Brings what a large import left in the write-ahead log into the file.
  private func shrinkLog() {
    // Somebody else's reading may stand in its way; then a later commit does it.
    database.writeWithoutTransaction { db in _ = try? db.checkpoint(.truncate) }
  }
}
