import JobLists
import TagMemory
import Testing

@testable import LedgerSQLite

@Suite("A journal's reservations")
struct ReservationTests {
  let bench: JournalBench
  let session: JournalSession
  var journal: Journal { session.journal }

  init() throws {
    bench = try JournalBench()
    session = try bench.session(jobs: 3)
  }

  @Test("go out in the source's order, and a finished job is on its tag")
  func finishing() throws {
    let first = try session.take(JournalBench.tag(1))
    let second = try session.take(JournalBench.tag(2))
    #expect(first.job == JournalBench.job(1))
    #expect(second.job == JournalBench.job(2))
    let written = try session.finish(first)
    #expect(try journal.history(of: JournalBench.uid(1)) == .written(written))
    #expect(written.digest == digest(of: first.message))
    #expect(written.when == JournalBench.timing.started.addingTimeInterval(0.06))
    #expect(try journal.job(holding: second.digest) == 2)
    let tally = try journal.tally()
    #expect((tally.pending, tally.reserved, tally.written) == (1, 1, 1))
  }

  @Test("stay with a tag that may hold the message, and it gets the same job when it comes back")
  func holding() throws {
    let first = try session.take(JournalBench.tag(1))
    try session.hold(first)
    #expect(try session.take(JournalBench.tag(2)).job.number == 2)
    guard case .reserved(let reserved) = try journal.history(of: JournalBench.uid(1)) else {
      throw Unexpected("no reservation")
    }
    #expect(reserved.holder == .nobody)
    #expect(reserved.trouble == JournalBench.trouble)
    #expect(try session.take(JournalBench.tag(1)).job.number == 1)
  }

  @Test("are taken up by content, and only by that content")
  func takingUp() throws {
    let first = try session.take(JournalBench.tag(1))
    try session.hold(first)
    #expect(try session.takeUp(JournalBench.tag(1), holding: first.message + [0]) == nil)
    #expect(try session.takeUp(JournalBench.tag(2), holding: first.message) == nil)
    let again = try #require(
      try session.takeUp(JournalBench.tag(1), holding: first.message))
    #expect(throws: JournalError.reservationLost(job: 1)) { try session.finish(first) }
    #expect(try session.finish(again).job.number == 1)
  }

  @Test("are kept from others while somebody works on the tag")
  func inUse() throws {
    _ = try session.take(JournalBench.tag(1))
    let other = JournalBench.tag(1, station: "2")
    guard case .inUse = try session.reserve(for: other, make: makeText) else {
      throw Unexpected("was given away")
    }
    #expect(try session.takeUp(other, holding: makeText(JournalBench.job(1))) == nil)
    // The station itself may see its own tag anew.
    #expect(try session.take(JournalBench.tag(1)).job.number == 1)
    try session.end()
    #expect(try journal.begin().take(other).job.number == 1)
  }

  @Test("given back go to the next tag, and the bad one is scrap")
  func givingBack() throws {
    let first = try session.take(JournalBench.tag(1))
    try session.giveBack(first, isScrap: true)
    #expect(try session.take(JournalBench.tag(2)).job.number == 1)
    guard case .scrap(let scrap) = try journal.history(of: JournalBench.uid(1)) else {
      throw Unexpected("no scrap")
    }
    #expect(scrap.trouble == JournalBench.trouble)
    #expect(throws: JournalError.reservationLost(job: 1)) { try session.finish(first) }
    // Tried again all the same, it is no longer scrap.
    #expect(try session.take(JournalBench.tag(1)).job.number == 2)
    #expect(try journal.tally().scrap == 0)
  }

  @Test("are not finished with another message than the one they were made for")
  func otherMessage() throws {
    let first = try session.take(JournalBench.tag(1))
    let other = VerifiedTag(message: [1, 2, 3], isLocked: false, isProtected: false)
    #expect(throws: JournalError.otherMessage(job: 1)) {
      try session.complete(first, verified: other, timing: JournalBench.timing)
    }
    #expect(try journal.tally().reserved == 1)
  }

  @Test("leave a written tag alone, unless rewriting, which writes the same job to it")
  func rewriting() throws {
    let written = try session.finish(session.take(JournalBench.tag(1)))
    guard case .written(written) = try session.reserve(for: JournalBench.tag(1), make: makeText)
    else { throw Unexpected("was not known") }
    let again = try session.take(JournalBench.tag(1), rewriting: true)
    #expect(again.job.number == 1)
    try session.finish(again)
    #expect(try journal.tally().written == 1)
  }

  @Test("are all for one type, or not: a bench looks for that type's technology alone")
  func onlyType() throws {
    let lists: [([String?], String?)] = [
      (["ntag213", "ntag213"], "ntag213"), (["ntag213", "felica-lite-s"], nil),
      (["ntag213", nil], nil), ([nil, nil], nil),
    ]
    for (types, only) in lists {
      let journal = try JournalBench().open()
      _ = try journal.adopt(JournalBench.source) { take throws(JournalError) in
        for (index, type) in types.enumerated() {
          try take(JournalBench.job(index + 1, tagType: type))
        }
      }
      #expect(try journal.onlyTagType() == only)
    }
  }

  @Test("go to the types of tag that jobs ask for")
  func tagTypes() throws {
    let bench = try JournalBench()
    let journal = try bench.open()
    let wanted = ["ntag215", nil, "ntag213", nil]
    _ = try journal.adopt(JournalBench.source) { take throws(JournalError) in
      for (index, type) in wanted.enumerated() {
        try take(JournalBench.job(index + 1, tagType: type))
      }
    }
    let session = try journal.begin()
    let numbers = try (1...3).map { try session.take(JournalBench.tag($0)).job.number }
    #expect(numbers == [2, 3, 4])
    guard case .nothingFits = try session.reserve(for: JournalBench.tag(4), make: makeText) else {
      throw Unexpected("fits")
    }
    #expect(try session.take(JournalBench.tag(5, type: "ntag215")).job.number == 1)
    guard case .nothingLeft = try session.reserve(for: JournalBench.tag(6), make: makeText) else {
      throw Unexpected("something is left")
    }
  }

  @Test("pass over jobs of which no message can be made, until they are tried again")
  func defectiveJobs() throws {
    let outcome = try session.reserve(for: JournalBench.tag(1)) { job, _ throws(JobRefusal) in
      guard job.number > 1 else { throw .defective("The text is too long.") }
      return makeText(job)
    }
    guard case .reserved(let reservation) = outcome else { throw Unexpected(outcome) }
    #expect(reservation.job.number == 2)
    #expect(try journal.tally().failed == 1)
    #expect(try session.retryFailed() == 1)
    #expect(try session.take(JournalBench.tag(2)).job.number == 1)
  }

  @Test("leave a job waiting when this tag cannot take it")
  func unsuitedTags() throws {
    let outcome = try session.reserve(for: JournalBench.tag(1)) { _, _ throws(JobRefusal) in
      throw .unsuitedTag("The tag is too small.")
    }
    guard case .left(TagTrouble(.unsuited, "The tag is too small.")) = outcome else {
      throw Unexpected(outcome)
    }
    #expect(try journal.tally().pending == 3)
  }

  @Test("never put one message on two tags")
  func sameMessage() throws {
    let same: (PlannedJob, String) throws(JobRefusal) -> [UInt8] = { _, _ in [1] }
    _ = try session.reserve(for: JournalBench.tag(1), make: same)
    guard case .nothingLeft = try session.reserve(for: JournalBench.tag(2), make: same) else {
      throw Unexpected("given out twice")
    }
    #expect(try journal.tally().failed == 2)
  }

  @Test("are released on the operator's word, and those tags are scrap")
  func releasing() throws {
    let first = try session.take(JournalBench.tag(1))
    _ = try session.take(JournalBench.tag(2))
    try session.hold(first)
    #expect(try session.release(.absent).map(\.job.number) == [1])
    #expect(try session.release(.absent).isEmpty)
    #expect(try session.release(.jobs([2])).map(\.uid) == [JournalBench.uid(2)])
    #expect(try journal.tally().scrap == 2)
    #expect(try session.take(JournalBench.tag(3)).job.number == 1)
    #expect(throws: JournalError.reservationLost(job: 1)) { try session.finish(first) }
  }

  @Test("keep the message and the day that they were made with")
  func fixed() throws {
    func make(_ job: PlannedJob, _ day: String) -> [UInt8] { makeText(job) + Array(day.utf8) }
    let tag = JournalBench.tag(1)
    guard
      case .reserved(let first) = try session.reserve(for: tag, today: "2026-11-21", make: make),
      case .reserved(let again) = try session.reserve(for: tag, today: "2026-11-22", make: make)
    else { throw Unexpected("nothing was reserved") }
    #expect(again.message == first.message && again.digest == first.digest)
    try session.finish(again)
    // Written once more, it is still the message of its day.
    guard
      case .reserved(let rewritten) = try session.reserve(
        for: tag, rewriting: true, today: "2026-11-23", make: make)
    else { throw Unexpected("nothing was reserved") }
    #expect(rewritten.digest == first.digest)
  }
}
