import Bytes
import Foundation
import GRDB
import Ledger

extension Journal {
  /// A sentence for each job whose row says something else of its tag than its events do
  /// (`JobStanding.apply`): what the tag was given, or in which order things happened to it.
  func otherFacts(in db: Database) throws -> [String] {
    let rows = try Row.fetchCursor(db, sql: Self.standings + " ORDER BY job.number")
    let events = try Row.fetchCursor(
      db, sql: "SELECT * FROM event WHERE job IS NOT NULL ORDER BY job, id")
    var found = try otherScrap(in: db)
    var next = try events.next().map { Event($0) }
    while let row = try rows.next() {
      let number: Int = row["number"]
      var (told, isInOrder) = (JobStanding(), true)
      while let event = next, let job = event.job, job <= number {
        if job == number, !told.apply(event) { isInOrder = false }
        next = try events.next().map { Event($0) }
      }
      let there = JobStanding(row)
      if !isInOrder {
        found.append("What happened to job \(number) contradicts itself.")
      } else if let difference = Self.difference(of: there, from: told) {
        found.append("Job \(number) has another \(difference) than its events say.")
      }
    }
    return found
  }

  /// A sentence for each tag of which the list of those that are not to be used says something else
  /// than what happened.
  private func otherScrap(in db: Database) throws -> [String] {
    let events = try Row.fetchCursor(
      db,
      sql: """
        SELECT * FROM event WHERE sets_aside
          OR kind = 'reserved' AND uid IN (SELECT uid FROM event WHERE sets_aside) ORDER BY id
        """)
    var told: Set<[UInt8]> = []
    while let row = try events.next() { told.take(Event(row)) }
    let there = Set(try Data.fetchAll(db, sql: "SELECT uid FROM scrap").map(Array.init))
    return there.subtracting(told).map { "Tag \(Hex.string($0)) is scrap without an event." }
      .sorted()
      + told.subtracting(there).map { "Tag \(Hex.string($0)) was set aside, but is not scrap." }
      .sorted()
  }

  /// What differs, for people; nil: nothing.
  private static func difference(of there: JobStanding, from told: JobStanding) -> String? {
    guard there != told else { return nil }
    guard let (tag, known) = there.binding.flatMap({ tag in told.binding.map { (tag, $0) } }),
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
