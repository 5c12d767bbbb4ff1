import TagMemory
import Testing

@testable import LedgerSQLite

@Suite("Tags that were given back as they were delivered")
struct GivenBackTests {
  private func written(_ session: JournalSession, _ number: Int) throws {
    let reservation = try session.take(JournalBench.tag(number))
    let verified = VerifiedTag(message: reservation.message, isLocked: false, isProtected: true)
    _ = try session.complete(
      reservation, verified: verified, timing: JournalBench.timing, inspecting: .first)
  }

  @Test("its job waits for another tag, the tag for another job, and the history says why")
  func back() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 2)
    try written(session, 1)
    try session.end()
    let later = try session.journal.begin()
    let tag = JournalBench.tag(1, station: "reset-sdm")
    #expect(try later.givenBack(tag)?.number == 1)
    let journal = session.journal
    #expect(try journal.history(of: JournalBench.uid(1)) == nil)
    #expect(try journal.tally().pending == 2 && journal.tally().scrap == 0)
    #expect(try journal.inspectionsDue().isEmpty && journal.report().inspections.due == 0)
    #expect(try journal.verify().isEmpty)
    // Once more changes nothing.
    #expect(try later.givenBack(tag) == nil)
    #expect(try later.givenBack(JournalBench.tag(9)) == nil)
    // Both go on as if nothing had been.
    try written(later, 1)
    #expect(try journal.verify().isEmpty)
  }
}
