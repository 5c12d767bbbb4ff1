import Bytes
import Foundation
import GRDB
import Ledger

extension Journal {
  /// What contradicts itself where each job is brought by what happened to it
  /// (`JobStanding.apply`), one event after the other, and compared with its row: sentences by the
  /// code of an inconsistency. `only`: of this job alone.
  func contradictions(
    in db: Database, of only: Int? = nil
  ) throws -> [(code: String, texts: [String])] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: Self.standings
          + (only.map { _ in " WHERE job.number = ?" } ?? " ORDER BY job.number")),
      arguments: StatementArguments([only].compactMap(\.self)))
    let events = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT * FROM event WHERE job \(only.map { _ in "= ?" } ?? "IS NOT NULL")"
          + " AND kind <> 'passed' ORDER BY job, id"),
      arguments: StatementArguments([only].compactMap(\.self)))
    var (order, states, tags, facts) = ([String](), [String](), [String](), [String]())
    var next = try events.next().map { Event($0) }
    while let row = try rows.next() {
      let (number, there): (Int, JobStanding) = (row[0], JobStanding(row))
      var (told, last, isInOrder) = (JobStanding(), Event?.none, true)
      while let event = next, let job = event.job, job <= number {
        if job == number {
          // What comes after it may be wrong for the same reason.
          if isInOrder, !told.apply(event) {
            isInOrder = false
            order.append(Self.disorder(event, after: last))
          }
          last = event
        }
        next = try events.next().map { Event($0) }
      }
      // Where a job stands whose events contradict each other, nobody can say.
      guard isInOrder, there != told else { continue }
      if (there.word, there.isHeld, there.epoch) != (told.word, told.isHeld, told.epoch) {
        states.append(Self.otherState(there, ofJob: number, after: last))
      } else if let tag = there.binding?.tag, tag != told.binding?.tag {
        let known = told.binding.map { Hex.string($0.tag) } ?? "none"
        tags.append(
          "Job \(number) is on tag \(Hex.string(tag)), but event \(told.epoch) says \(known).")
      } else {
        facts.append(
          "Job \(number) has another \(Self.difference(of: there, from: told)) than its events say."
        )
      }
    }
    return [
      ("state", states), ("other-tag", tags), ("order", order),
      ("fact", try (only == nil ? otherScrap(in: db) : []) + facts),
    ]
  }

  private static func disorder(_ event: Event, after last: Event?) -> String {
    let isOtherTag = last?.tag != nil && event.tag != nil && last?.tag != event.tag
    return "Event \(event.number) of job \(event.job ?? 0) is “\(event.kind)” after "
      + (last.map { "“\($0.kind)”" } ?? "nothing") + (isOtherTag ? " of another tag." : ".")
  }

  private static func otherState(
    _ there: JobStanding, ofJob number: Int, after last: Event?
  ) -> String {
    "Job \(number) is \(there.word), but "
      + (last.map { "what last happened to it is event \($0.number), “\($0.kind)”." }
        ?? "nothing happened to it.")
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

  /// What differs of a job that is where its events say, for people.
  private static func difference(of there: JobStanding, from told: JobStanding) -> String {
    guard let (tag, known) = there.binding.flatMap({ tag in told.binding.map { (tag, $0) } })
    else { return "state" }
    if tag.message.digest != known.message.digest { return "message" }
    if tag.message.uri != known.message.uri { return "link" }
    if tag.message.length != known.message.length { return "length" }
    if tag.message.day != known.message.day { return "day" }
    if there.locks != told.locks { return "lock" }
    return tag.type != known.type ? "type of tag" : "state"
  }
}
