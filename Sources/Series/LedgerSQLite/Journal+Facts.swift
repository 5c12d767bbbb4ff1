import GRDB
import Ledger

extension Journal {
  /// A sentence for each job whose row says something else of its tag than its events do
  /// (`JobRecord.apply`): what the tag was given, or in which order things happened to it.
  func otherFacts(in db: Database) throws -> [String] {
    let rows = try Row.fetchCursor(db, sql: Self.records + " ORDER BY job.number")
    let events = try Row.fetchCursor(
      db, sql: "SELECT * FROM event WHERE job IS NOT NULL ORDER BY job, id")
    var found: [String] = []
    var next = try events.next().map { Event($0) }
    while let row = try rows.next() {
      let number: Int = row["number"]
      var (told, isInOrder) = (JobRecord(), true)
      while let event = next, let job = event.job, job <= number {
        if job == number, !told.apply(event) { isInOrder = false }
        next = try events.next().map { Event($0) }
      }
      let there = JobRecord(row)
      if !isInOrder {
        found.append("What happened to job \(number) contradicts itself.")
      } else if let difference = Self.difference(of: there, from: told) {
        found.append("Job \(number) has another \(difference) than its events say.")
      }
    }
    return found
  }

  /// What differs, for people; nil: nothing.
  private static func difference(of there: JobRecord, from told: JobRecord) -> String? {
    guard there != told else { return nil }
    guard let (tag, known) = there.onTag.flatMap({ tag in told.onTag.map { (tag, $0) } }),
      there.isWritten == told.isWritten
    else { return "state" }
    if tag.tag != known.tag { return "tag" }
    if tag.message.digest != known.message.digest { return "message" }
    if tag.message.uri != known.message.uri { return "link" }
    if tag.message.length != known.message.length { return "length" }
    if tag.message.day != known.message.day { return "day" }
    if there.locks != told.locks { return "lock" }
    return tag.type != known.type ? "type of tag" : "state"
  }
}
