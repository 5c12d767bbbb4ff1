import Foundation
import GRDB
import SeededNumbers
import TagMemory
import Testing

@testable import Ledger
@testable import LedgerSQLite
@testable import Provisioning

@Suite("The facts of a journal's events")
struct FactTests {
  /// What can be done with a tag or a job.
  private enum Act: CaseIterable {
    case reserve, rewrite, finish, lock, giveBack, scrap, hold, takeUp, release, releaseAll,
      passOver
    case fail, retry, inspectGood, inspectBad, inspectLost, reset, end
  }

  @Test("bring each job where its row has it, whatever was done", arguments: 1...40)
  func facts(seed: UInt64) throws {
    let bench = try JournalBench()
    var session = try bench.session(jobs: 5)
    let journal = session.journal
    var numbers = SeededGenerator(seed: seed)
    var kept: [Reservation] = []
    for _ in 0..<60 {
      let station = "\(Int.random(in: 1...2, using: &numbers))"
      let type = ["ntag213", "ntag215", nil][Int.random(in: 0..<3, using: &numbers)]
      let tag = JournalBench.tag(
        Int.random(in: 1...7, using: &numbers), type: type, station: station)
      let pick = kept.randomElement(using: &numbers)
      let day = "2026-11-\(Int.random(in: 10...12, using: &numbers))"
      let job = Int.random(in: 1...5, using: &numbers)
      switch Act.allCases.randomElement(using: &numbers) {
      case .reserve, .rewrite:
        let outcome = try session.reserve(
          for: tag, rewriting: Bool.random(using: &numbers), today: day
        ) { job, day in makeText(job) + Array(day.utf8) }
        if case .reserved(let made) = outcome { kept.append(made) }
      case .finish: if let pick { _ = try? session.finish(pick) }
      case .lock:
        guard let pick else { continue }
        _ = try? session.complete(
          pick,
          verified: VerifiedTag(
            message: pick.message, isLocked: Bool.random(using: &numbers), isProtected: true),
          timing: JournalBench.timing)
      case .giveBack: if let pick { try? session.giveBack(pick, isScrap: false) }
      case .scrap: if let pick { try? session.giveBack(pick, isScrap: true) }
      case .hold: if let pick { try? session.hold(pick) }
      case .takeUp:
        guard let pick, let again = try session.takeUp(pick.tag, holding: pick.message) else {
          continue
        }
        kept.append(again)
      case .release: _ = try session.release(.jobs([job]))
      case .releaseAll: _ = try session.release(.absent)
      case .passOver:
        try session.passOver(
          tag, job: job, because: JournalBench.trouble, timing: JournalBench.timing)
      case .fail:
        if try journal.standing(ofJob: job)?.state == .pending {
          try session.fail(
            JournalBench.job(job), because: TagTrouble(.defectiveJob, "It is empty."))
        }
      case .retry: _ = try session.retryFailed()
      case .inspectGood, .inspectBad, .inspectLost:
        guard let written = try journal.writtenTag(ofJob: job) else { continue }
        let trouble = TagTrouble(.inspection, "It holds other data.")
        let fault: InspectionFault? =
          [
            nil, InspectionFault(trouble, message: [1]), InspectionFault(trouble, message: nil),
          ][Int.random(in: 0..<3, using: &numbers)]
        try session.inspected(written, on: tag, fault, timing: JournalBench.timing)
      case .reset: _ = try? session.givenBack(tag)
      case .end:
        try session.end()
        session = try journal.begin()
      case nil: continue
      }
      #expect(try journal.verify(facts: true) == [], "seed \(seed)")
      let scrap = try journal.read { db in
        Set(try Data.fetchAll(db, sql: "SELECT uid FROM scrap").map(Array.init))
      }
      #expect(try scrap == Self.aside(in: journal), "seed \(seed)")
    }
    // What is written down is what is read.
    let events = try journal.events(after: 0, limit: 1000)
    #expect(Set(events.map(\.kind)).count > 3 && events.allSatisfy { $0.what.kind != nil })
    for event in events {
      guard case .reserved(let job, _, let message) = event.what else { continue }
      #expect(message.length > 20 && message.day?.hasPrefix("2026-11-") == true, "job \(job)")
    }
  }

  @Test("say that a tag is none to be set aside whose inspection a pool has refused")
  func voided() throws {
    let session = try JournalBench().session(jobs: 1)
    let (journal, tag) = (session.journal, JournalBench.tag(1))
    try session.finish(session.take(tag))
    let written = try #require(try journal.writtenTag(ofJob: 1))
    let fault = InspectionFault(TagTrouble(.inspection, "It holds other data."), message: [1])
    try session.inspected(written, on: tag, fault, timing: JournalBench.timing)
    #expect(try journal.isScrap(written.uid.bytes))
    let events = try journal.events(after: 0, limit: 9)
    let taken = try #require(events.last { $0.kind == "reserved" })
    let message = try #require(taken.what.message)
    try journal.voidInspection(taking: taken, holding: message, session)
    #expect(try !journal.isScrap(written.uid.bytes) && journal.inspection(ofJob: 1) == nil)
    #expect(try journal.verify(facts: true) == [])
  }

  /// The tags that are not to be used, by what happened.
  private static func aside(in journal: Journal) throws -> Set<[UInt8]> {
    var aside: Set<[UInt8]> = []
    for event in try journal.events(after: 0, limit: 10_000) {
      guard let tag = event.tag else { continue }
      if event.what.setsAside { aside.insert(tag) }
      if case .reserved = event.what { aside.remove(tag) }
    }
    return aside
  }
}
