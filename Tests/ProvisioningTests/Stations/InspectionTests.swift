import Foundation
import NDEF
import PN532Simulator
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("Inspections of finished tags")
struct InspectionTests {
  /// What a line told of inspections: the verdict and which of the tags.
  private typealias Told = Mutex<[String]>

  /// Tags in the hand of a test.
  private final class Tray: @unchecked Sendable {
    // Sendable by hand: the station's thread uses it during a run, the test before and after.
    let tags: [any StoredTag]
    init(_ tags: [any StoredTag]) { self.tags = tags }
  }

  private func work(
    _ job: Job, on tag: any VirtualTag, password: [UInt8]? = nil
  ) {
    var options = RunOptions()
    options.credentials.password = password
    let report = Programmer(reader: TestReader("other", [tag]).reader, options: options).run(job)
    #expect(report.failure == nil)
    tag.powerOff()
  }

  private func link(_ text: String) throws -> Job {
    var options = WriteOptions()
    options.overwrite = true
    return .write(Message(try URIRecord(text).record), options)
  }

  @Test("a tag that an earlier run did not get to inspect is asked for before another is written")
  func afterCrash() throws {
    let bench = try LineBench(codes: 2)
    let tags = try (0..<2).map { try LineBench.tag($0) }
    let uids = tags.map { UID($0.uid) }
    // The run ends as soon as the tag is finished.
    _ = try bench.run([TestReader("1", Hand(tags))]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
    } until: {
      if case .finished = $0.kind { true } else { false }
    }
    #expect(try bench.journal.open().inspectionsDue().map(\.uid) == [uids[0]])
    for tag in tags { tag.powerOff() }
    let hand = Hand(Array(tags.reversed()))
    let told = Told([])
    let (summary, _) = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 9)
    } act: { _, event in
      guard case .inspection(let found) = event.kind else { return }
      let index = uids.firstIndex(of: found.uid) ?? -1
      told.withLock { $0.append("\(found.verdict.rawValue) \(index)") }
      switch found.verdict {
      case .again: hand.plan([.remove, .place(1)])
      case .good where index == 0: hand.plan([.remove, .place(0)])
      case .wanted where index == 1: hand.plan([.remove, .place(0)])
      default: break
      }
    }
    let all = told.withLock { $0 }
    #expect(all.prefix(3) == ["wanted 0", "again 1", "good 0"], "\(all)")
    #expect(summary.dueForInspection.isEmpty && summary.passed == 1, "\(summary)")
  }

  @Test("the first and every n-th tag come again, and no other is written before")
  func sampling() throws {
    let bench = try LineBench(codes: 4)
    let tags = try (0..<4).map { try LineBench.tag($0) }
    let (hand, uids) = (Hand(tags), tags.map { UID($0.uid) })
    let told = Told([])
    let (summary, outcomes) = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 3)
    } act: { _, event in
      func index(_ uid: UID) -> Int { uids.firstIndex(of: uid) ?? -1 }
      switch event.kind {
      case .inspection(let found):
        told.withLock { $0.append("\(found.verdict.rawValue) \(index(found.uid))") }
        let next = index(found.uid) + 1
        switch found.verdict {
        // Another tag is tried first.
        case .wanted where next < 4: hand.plan([.remove, .place(next)])
        case .again: hand.plan([.remove, .place(next - 2)])
        case .good where next < 4: hand.plan([.remove, .place(next)])
        default: break
        }
      case .finished(let outcome) where !outcome.needsInspection:
        let next = index(outcome.uid) + 1
        if next < 4 { hand.plan([.remove, .place(next)]) }
      default: break
      }
    }
    #expect(
      told.withLock { $0 } == [
        "wanted 0", "again 1", "good 0", "wanted 2", "again 3", "good 2",
      ])
    #expect(summary.passed == 4 && summary.inspected == 2 && summary.inspectedBad == 0)
    #expect(outcomes.map(\.needsInspection) == [true, false, true, false])
    guard case .complete = summary.ending else { throw Unexpected("\(summary.ending)") }
    let report = try bench.journal.open().report()
    #expect(report.inspections.good == 2 && report.inspections.due == 0)
    #expect(report.lines.contains("Inspections: 2 good, 0 bad, 0 pending"))
    #expect(report.inconsistencies.isEmpty)
  }

  @Test("a tag that holds other data is scrap, its job goes on, and the line stops")
  func changed() throws {
    let bench = try LineBench(codes: 2)
    let tags = try (0..<2).map { try LineBench.tag($0) }
    let hand = Hand(tags)
    let (other, tray) = (try link("https://example.org/"), Tray(tags))
    let (summary, _) = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
    } act: { _, event in
      guard case .inspection(let found) = event.kind, found.verdict == .wanted else { return }
      work(other, on: tray.tags[0])
      hand.plan([.remove, .place(0)])
    }
    guard case .inspection(let trouble?) = summary.ending else {
      throw Unexpected("\(summary.ending)")
    }
    #expect(trouble.cause == "inspection" && summary.inspectedBad == 1 && summary.pending == 2)
    let journal = try bench.journal.open()
    #expect(try journal.verify().isEmpty)
    guard case .scrap? = try journal.history(of: UID(tags[0].uid)) else {
      throw Unexpected("not scrap")
    }
    let record = try journal.inspection(ofJob: 1)
    #expect(record?.isGood == false && record?.reason == .first)
    #expect(try journal.report().inspections.bad == 1)
    // The job goes to the next tag.
    let next = try bench.run([TestReader("1", [tags[1]])])
    #expect(next.outcomes.first?.job?.number == 1 && next.outcomes.first?.verdict == .passed)
  }

  @Test("a tag that holds its message but lost its password keeps its job, and is repaired")
  func unprotected() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    let password: [UInt8] = [1, 2, 3, 4]
    let (hand, tray) = (Hand([tag]), Tray([tag]))
    let settle: (inout LineOptions) -> Void = {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 5)
      $0.protection = Protection(password: password)
    }
    let (summary, _) = try bench.run(
      [TestReader("1", hand)], settle,
      act: { _, event in
        guard case .inspection(let found) = event.kind, found.verdict == .wanted else { return }
        work(.unprotect, on: tray.tags[0], password: password)
        hand.plan([.remove, .place(0)])
      })
    guard case .inspection = summary.ending else { throw Unexpected("\(summary.ending)") }
    #expect(summary.waitedFor == [UID(tag.uid)])
    let journal = try bench.journal.open()
    #expect(try journal.verify().isEmpty)
    let again = Hand([tag])
    let (second, outcomes) = try bench.run(
      [TestReader("1", again)], settle,
      act: { _, event in
        guard case .inspection(let found) = event.kind, found.verdict == .wanted else { return }
        again.plan([.remove, .place(0)])
      })
    #expect(outcomes.first?.verdict == .passed && second.inspected == 1, "\(second)")
    let record = try journal.inspection(ofJob: 1)
    #expect(record?.isGood == true && record?.reason == .again)
    #expect(try journal.verify().isEmpty)
  }

  @Test("a tag whose run was killed before its inspection is inspected by the next")
  func killed() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    let (first, _) = try bench.run([TestReader("1", [tag])]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
    } until: { event in
      if case .inspection = event.kind { true } else { false }
    }
    #expect(first.dueForInspection == [UID(tag.uid)])
    let journal = try bench.journal.open()
    #expect(try journal.inspectionsDue().map(\.uid) == [UID(tag.uid)])
    #expect(try journal.inspection(ofJob: 1)?.isGood == nil)
    let (second, outcomes) = try bench.run([TestReader("1", [tag])]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
    }
    guard case .complete = second.ending else { throw Unexpected("\(second.ending)") }
    #expect(second.inspected == 1 && outcomes.isEmpty)
    #expect(try journal.inspection(ofJob: 1)?.isGood == true)
    #expect(try journal.inspectionsDue().isEmpty)
  }

  @Test("counts for nothing where the pool has the tag in other hands, and the line goes on")
  func otherHands() throws {
    let bench = try LineBench(codes: 1)
    bench.pool = SilentPool { (written) throws(JournalError) in
      throw .reservationLost(job: written.job.number)
    }
    let tag = try LineBench.tag(0)
    let (hand, tray) = (Hand([tag]), Tray([tag]))
    let told = Told([])
    let other = try link("https://example.org/")
    let (summary, _) = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
    } act: { _, event in
      guard case .inspection(let found) = event.kind else { return }
      told.withLock {
        $0.append("\(found.verdict.rawValue) \(found.trouble?.cause ?? "") \(found.next ?? "")")
      }
      guard found.verdict == .wanted else { return }
      work(other, on: tray.tags[0])
      hand.plan([.remove, .place(0)])
    }
    #expect(
      told.withLock { $0 }.dropFirst() == ["unknown elsewhere Put it on a reader of the line."])
    guard case .complete = summary.ending else { throw Unexpected("\(summary.ending)") }
    #expect(summary.inspected == 0 && summary.dueForInspection.isEmpty)
    let journal = try bench.journal.open()
    #expect(try journal.inspectionsDue().isEmpty && journal.inspection(ofJob: 1) == nil)
  }

  @Test("a tag that the pool contradicts as it is finished is scrap, and counts as nothing else")
  func contradicted() throws {
    let bench = try LineBench(codes: 2)
    let (pool, tag) = (SilentPool { _ in }, try LineBench.tag(0))
    bench.pool = pool
    let uid = tag.uid
    pool.finishing.withLock { finishing in
      finishing = { session, number in
        let trouble = TagTrouble(.conflict, "The job was given to another bench meanwhile.")
        try session.journal.setAside(uid, of: number, session, trouble)
        throw JournalError.reservationLost(job: number)
      }
    }
    let (summary, outcomes) = try bench.run([TestReader("1", [tag])])
    #expect(outcomes.first?.verdict == .failed && outcomes.first?.bin == .bin)
    #expect(outcomes.first?.trouble?.cause == "conflict")
    #expect(summary.scrap == 1 && summary.left == 0 && summary.passed == 0)
    var view = StationView(name: "1")
    if let outcome = outcomes.first { view.take(.finished(outcome)) }
    #expect(view.word == .fail && view.bin == "bin it" && !view.losesJob)
    #expect(
      view.reason == "the database contradicts this bench about its job; nobody may use it")
    let report = try bench.journal.open().report()
    #expect(report.scrap.count == 1 && report.leftAlone == 0)
    #expect(report.failures.map(\.name) == ["conflict"] && report.reasons.isEmpty)
  }

  @Test(
    "of a bad tag promises nothing of its job until the database has heard of it, and says why",
    arguments: [
      (PoolHearing.away, "The database is away: when it answers, the job goes"),
      (
        .failed("The disk is full."),
        "This bench could not tell the database of it: The disk is full. When the database has heard"
      ),
    ])
  func withoutDatabase(hearing: PoolHearing, why: String) throws {
    let bench = try LineBench(codes: 1)
    bench.pool = SilentPool(hearing: hearing) { _ in }
    let tag = try LineBench.tag(0)
    let (hand, tray) = (Hand([tag]), Tray([tag]))
    let told = Told([])
    let other = try link("https://example.org/")
    _ = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 1)
    } act: { _, event in
      guard case .inspection(let found) = event.kind else { return }
      told.withLock { $0.append(found.next ?? "") }
      guard found.verdict == .wanted else { return }
      work(other, on: tray.tags[0])
      hand.plan([.remove, .place(0)])
    }
    let last = try #require(told.withLock { $0.last })
    #expect(last.contains(why) && last.contains("unless another bench has written"), "\(last)")
  }

  @Test("a second reader inspects while the stations go on")
  func secondReader() throws {
    let bench = try LineBench(codes: 3)
    let tags = try (0..<3).map { try LineBench.tag($0) }
    let (stranger, uids) = (try LineBench.tag(9), tags.map { UID($0.uid) })
    let (hand, inspecting) = (Hand(tags), Hand([stranger] + tags))
    let told = Told([])
    // The tag that is carried over, once the station has let it go.
    let carried = Mutex<Int?>(nil)
    let (summary, _) = try bench.run(
      [TestReader("1", hand)], inspector: TestReader("2", inspecting)
    ) {
      ($0.timeout, $0.inspectEvery) = (.seconds(20), 3)
    } act: { _, event in
      func index(_ uid: UID) -> Int { uids.firstIndex(of: uid) ?? 0 }
      switch event.kind {
      case .finished(let outcome):
        let index = index(outcome.uid)
        hand.plan([.remove] + (index < 2 ? [.place(index + 1)] : []))
      case .inspection(let found) where found.verdict == .wanted:
        carried.withLock { $0 = index(found.uid) }
      case .ready where event.station == 0:
        let tag = carried.withLock { tag in
          defer { tag = nil }
          return tag
        }
        if let tag { inspecting.planSoon([.remove, .place(tag + 1)]) }
      case .inspection(let found):
        told.withLock { $0.append("\(event.station) \(found.verdict.rawValue)") }
      default: break
      }
    }
    #expect(told.withLock { $0 } == ["1 unknown", "1 good", "1 good"])
    #expect(summary.passed == 3 && summary.inspected == 2)
  }
}
