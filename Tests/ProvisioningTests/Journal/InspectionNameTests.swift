import GRDB
import Ledger
import Testing

@testable import LedgerSQLite

@Suite("The names by which a pool knows a bench's inspections")
struct InspectionNameTests {
  /// Has the tag with this number written and wanted for inspection.
  private func want(_ tag: Int, _ session: JournalSession) throws {
    let reservation = try session.take(JournalBench.tag(tag))
    _ = try session.complete(
      reservation,
      verified: VerifiedTag(message: reservation.message, isLocked: false, isProtected: false),
      timing: JournalBench.timing, inspecting: .every)
  }

  @Test("stay for each inspection, and are new for each that a restored copy makes")
  func names() throws {
    let (bench, restored) = (try JournalBench(), try JournalBench())
    let session = try bench.session(jobs: 4)
    _ = try session.journal.becomeBench("bench-1", of: [1])
    let claims = (1...4).map { PoolClaim(job: $0, epoch: 1) }
    try session.journal.keep(claims, session)
    try session.journal.settle(claims, entrusted: Set(1...4))
    try want(1, session)
    let first = try #require(try session.journal.firstUntoldInspection())
    #expect(first.told?.job == 1 && first.told?.id == first.id && first.id.count == 16)
    try session.journal.database.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [restored.path])
    }
    var names: [[UInt8]] = []
    for journal in [session.journal, try restored.open()] {
      let again = try #require(try journal.firstUntoldInspection())
      #expect(again.id == first.id)
      try journal.noteTold(inspection: again.number, again.told)
      #expect(try journal.firstUntoldInspection() == nil)
      let session = journal === session.journal ? session : try journal.begin()
      try want(2, session)
      let next = try #require(try journal.firstUntoldInspection())
      #expect(next.number == 2)
      names.append(next.id)
      // One that is not wanted any more has its name still.
      try journal.write { db in try db.execute(sql: "DELETE FROM inspection WHERE job = 2") }
      let dropped = try #require(try journal.firstUntoldInspection())
      #expect(dropped.id == next.id && dropped.told == nil)
    }
    #expect(Set(names + [first.id]).count == 3)
  }
}
