import JobLists
import PN532Simulator
import RecordText
import SeededNumbers
import Synchronization
import TagMemory
import Testing

@testable import Ledger
@testable import LedgerSQLite
@testable import Provisioning

/// `{random:N}`: kept before a tag is written, so that a job has one code however often it is
/// tried.
@Suite("A line that draws a code for each tag")
struct CodeLineTests {
  private func code(on tag: any VirtualTag) -> Substring? {
    LineBench.link(on: tag)?.split(separator: "/").last
  }

  @Test("writes no code twice, and the journal has the one that each tag holds", arguments: 0..<8)
  func line(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try LineBench(codes: 12, template: "https://example.com/{date}/{random:10}")
    let tags = try (0..<16).map { try LineBench.tag($0) }
    var known: [String: Substring] = [:]
    for run in 0..<10 {
      let reels = [tags.shuffled(using: &random).prefix(8), []].map { Array($0) }
      let readers = reels.filter { !$0.isEmpty }.map { reel in
        var faults = FaultPlan()
        if run < 8 {
          faults.exchanges = [
            (.at(Int.random(in: 5...60, using: &random)), .removed(afterObeying: true)),
            (.at(Int.random(in: 61...160, using: &random)), .answerLost),
          ]
        }
        return TestReader("1", reel, faults: faults)
      }
      let left = Atomic(run < 8 ? Int.random(in: 5...60, using: &random) : Int.max)
      _ = try bench.run(
        readers,
        until: { _ in
          left.subtract(1, ordering: .relaxed).newValue <= 0
        })
      let codes = tags.compactMap { tag in code(on: tag).map { (UID(tag.uid).hex, $0) } }
      #expect(Set(codes.map(\.1)).count == codes.count, "seed \(seed), run \(run)")
      for (uid, code) in codes {
        #expect(known[uid] == nil || known[uid] == code, "seed \(seed): \(uid) has another code")
        known[uid] = code
      }
    }
    let journal = try bench.journal.open()
    for written in try journal.writtenTags() {
      #expect(known[written.uid.hex].map { written.uri?.hasSuffix($0) == true } ?? false)
    }
    // The code that was kept makes the message again.
    #expect(try journal.verify().isEmpty)
  }

  @Test("gives a job the same code once more, unless a tag is set aside that may have it")
  func again() throws {
    let bench = try JournalBench()
    let journal = try bench.open()
    let job = PlannedJob(
      number: 1, line: 2, offset: 0, name: "A",
      message: MessageTemplate(records: [
        .init(option: "uri", text: "https://example.com/{random:20}")
      ]), tagType: nil, locks: false, hasPassword: false, columns: [])
    _ = try journal.adopt(JournalBench.source) { take throws(JournalError) in try take(job) }
    let session = try journal.begin()
    let timing = Timing(started: .now, duration: .zero)
    func reserve(_ tag: Int, on day: String) throws -> (Reservation, code: String) {
      let outcome = try session.reserve(for: JournalBench.tag(tag), today: day) {
        job, made throws(JobRefusal) in
        do throws(RecordTextError) {
          return try job.message.message(
            for: TagFields(uid: JournalBench.uid(tag), number: job.number, made: made)
          ).serialize()
        } catch {
          throw .defective(error.message)
        }
      }
      guard case .reserved(let reservation) = outcome else {
        throw JournalError.sourceFailed("\(outcome)")
      }
      return (reservation, JournalSession.link(in: reservation.message) ?? "")
    }
    let trouble = TagTrouble(.lost, "gone")
    let (first, code) = try reserve(1, on: "2026-11-27")
    try session.hold(first, because: trouble, timing: timing)
    let (second, same) = try reserve(1, on: "2026-11-28")
    #expect(same == code)
    try session.giveBack(second, because: trouble, isScrap: false, timing: timing)
    let (third, other) = try reserve(2, on: "2026-11-29")
    #expect(other == code)
    try session.giveBack(third, because: trouble, isScrap: true, timing: timing)
    let (fourth, new) = try reserve(3, on: "2026-11-30")
    #expect(new != code && new.utf8.count == code.utf8.count)
    try session.hold(fourth, because: trouble, timing: timing)
    _ = try session.release(.absent)
    let (_, last) = try reserve(4, on: "2026-12-01")
    #expect(last != new && last != code)
  }
}
