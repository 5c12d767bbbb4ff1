import SeededNumbers
import TagMemory
import Testing

@testable import Ledger
@testable import LedgerSQLite

@Suite("A journal as a ledger")
struct LedgerTests {
  /// What can be asked of both.
  private enum Act: CaseIterable { case reserve, finish, giveBack, scrap, hold, takeUp, release }

  @Test("decides as the rules do, whatever is asked of it", arguments: 1...40)
  func rules(seed: UInt64) throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 4)
    var ledger = MemoryLedger(jobs: 4)
    var numbers = SeededGenerator(seed: seed)
    var kept: [(reservation: Reservation, epoch: Int64)] = []
    for _ in 0..<40 {
      let tag = JournalBench.tag(Int.random(in: 1...5, using: &numbers))
      let uid = tag.uid?.bytes ?? []
      let name = Journal.bench(session.id, "1")
      let pick = kept.randomElement(using: &numbers)
      switch Act.allCases.randomElement(using: &numbers) {
      case .reserve:
        // A tag has its job again; any other gets the first that waits.
        let job =
          ledger.job(ofTag: uid) ?? ledger.jobs.firstIndex { $0.state == .pending }.map { $0 + 1 }
        guard case .reserved(let made) = try session.reserve(for: tag, make: makeText) else {
          if let job, case .written = ledger[job].state { continue }
          #expect(job == nil)
          continue
        }
        let number = try #require(job)
        #expect(made.job.number == number)
        if ledger.job(ofTag: uid) == nil {
          guard
            case .changed(let claim, _) = ledger.perform(.claim(bench: name, until: 0), on: number)
          else { throw Unexpected(number) }
          // Whether a tag that was set aside may be used is asked for before.
          ledger.scrap.remove(uid)
          _ = ledger.perform(
            .bind(bench: name, epoch: claim.epoch, tag: uid, message: made.digest), on: number)
        } else {
          _ = ledger.perform(.takeOver(bench: name, tag: uid), on: number)
        }
        kept.append((made, ledger[number].epoch))
      case .finish:
        guard let (made, epoch) = pick else { continue }
        let done = Result { try session.finish(made) }
        let decision = ledger.perform(
          .finish(bench: name, epoch: epoch, tag: made.uid, message: made.digest),
          on: made.job.number)
        #expect(isDone(done) == isChange(decision))
      case .giveBack, .scrap:
        guard let (made, epoch) = pick else { continue }
        let done = Result { try session.giveBack(made, isScrap: false) }
        let decision = ledger.perform(
          .giveBack(bench: name, epoch: epoch, tag: made.uid, isScrap: false), on: made.job.number)
        #expect(isDone(done) == isChange(decision))
      case .hold:
        // A hold ends the reservation here, and its epoch in the journal.
        guard let (made, epoch) = pick else { continue }
        let done = Result { try session.hold(made) }
        let decision = ledger.perform(
          .hold(bench: name, epoch: epoch, tag: made.uid), on: made.job.number)
        #expect(isDone(done) == isChange(decision))
        kept.removeAll { $0.reservation.job.number == made.job.number }
      case .takeUp:
        guard let number = ledger.job(ofTag: uid), let (made, _) = pick, made.uid == uid,
          let taken = try session.takeUp(tag, holding: made.message)
        else { continue }
        #expect(taken.job.number == number)
        _ = ledger.perform(.takeOver(bench: name, tag: uid), on: number)
        kept.append((taken, ledger[number].epoch))
      case .release:
        let number = Int.random(in: 1...4, using: &numbers)
        let released = try session.release(.jobs([number]))
        let decision =
          ledger[number].state == .pending
          ? .done : ledger.perform(.release(whoeverWorks: true), on: number)
        #expect(released.isEmpty != isChange(decision))
      case nil: continue
      }
      for number in 1...4 {
        let (there, wanted) = (
          try #require(try session.journal.standing(ofJob: number)), ledger[number]
        )
        #expect(there.state == wanted.state, "job \(number), seed \(seed)")
      }
    }
    #expect(try session.journal.verify(facts: true) == [])
  }

  private func isDone(_ result: Result<some Any, any Error>) -> Bool {
    if case .success = result { true } else { false }
  }

  private func isChange(_ decision: LedgerDecision) -> Bool {
    if case .changed = decision { true } else { false }
  }

  @Test("tells what happened in order, from wherever one has read to, while the line works")
  func events() throws {
    let bench = try JournalBench()
    let session = try bench.session(jobs: 3)
    for number in 1...3 { try session.finish(session.take(JournalBench.tag(number))) }
    let watcher = try bench.open(.readOnly)
    var (read, last): ([Event], Int64) = ([], 0)
    while case let page = try watcher.events(after: last, limit: 4), !page.isEmpty {
      #expect(page.count <= 4)
      read += page
      last = page.last?.number ?? last
    }
    #expect(
      read.map(\.kind) == Array(repeating: ["reserved", "written"], count: 3).flatMap(\.self))
    #expect(read.map(\.job) == [1, 1, 2, 2, 3, 3])
    #expect(read.map(\.number) == read.map(\.number).sorted())
    #expect(read[1].tag == JournalBench.uid(1).bytes)
    #expect(read[1].duration == 60_000)
    try session.passOver(
      JournalBench.tag(9), because: JournalBench.trouble, timing: JournalBench.timing)
    #expect(try watcher.events(after: last, limit: 4).map(\.cause) == ["lost"])
  }
}
