import Foundation
import GRDB
import NDEF
import PN532Simulator
import Readers
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

/// A person's hand at one reader: what it does each time the reader pauses between two looks.
final class Hand: @unchecked Sendable {
  // Sendable by hand: the station's thread alone uses it during a run.
  enum Step {
    case remove
    /// The tag of this index.
    case place(Int)
  }

  let field = Field()
  private let tags: [any VirtualTag]
  private var steps: [Step] = []
  private var pauses = 0
  private let later = Mutex<[Step]>([])

  /// The first of the tags lies there.
  init(_ tags: [any VirtualTag]) {
    self.tags = tags
    field.place([tags[0]])
  }

  /// Lets each of `steps` happen three pauses after the one before, from now on.
  func plan(_ steps: [Step]) { self.steps += steps }

  /// The same, from any thread.
  func planSoon(_ steps: [Step]) { later.withLock { $0 += steps } }

  func pause() {
    steps += later.withLock { later in
      defer { later = [] }
      return later
    }
    guard !steps.isEmpty else { return }
    pauses += 1
    guard pauses % 3 == 0 else { return }
    switch steps.removeFirst() {
    case .remove: field.remove()
    case .place(let index): field.place([tags[index]])
    }
  }
}

@Suite("What a line says of a tag")
struct LineTruthTests {
  @Test("a tag that slips for a moment keeps its verdict, and is not refused")
  func bounce() throws {
    let bench = try LineBench(codes: 2)
    let (tag, next) = (try LineBench.tag(0), try LineBench.tag(1))
    let (hand, first) = (Hand([tag, next]), UID(tag.uid))
    let same = Atomic(0)
    let (summary, outcomes) = try bench.run([TestReader("1", hand)]) {
      $0.timeout = .seconds(20)
    } act: { _, event in
      switch event.kind {
      case .finished(let outcome) where outcome.uid == first:
        hand.plan([.remove, .place(0), .remove, .place(1)])
      case .same(let outcome):
        #expect(outcome.verdict == .passed)
        same.add(1, ordering: .relaxed)
      default: break
      }
    }
    #expect(same.load(ordering: .relaxed) == 1)
    #expect(summary.passed == 2 && summary.left == 0, "\(summary)")
    #expect(outcomes.map(\.number) == [1, 2])
  }

  @Test("a verdict stands until another tag comes after the hold time, and says which bin")
  func stands() throws {
    let bench = try LineBench(codes: 2)
    let (foreign, next) = (try LineBench.tag(0), try LineBench.tag(1))
    try write("https://example.org/", on: foreign)
    let (hand, first) = (Hand([foreign, next]), UID(foreign.uid))
    let events = Mutex<[String]>([])
    let began = ContinuousClock.now
    let (summary, _) = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.hold, $0.count) = (.seconds(60), .seconds(3), 1)
    } act: { _, event in
      switch event.kind {
      case .finished(let outcome) where outcome.uid == first:
        #expect(outcome.bin == .aside && outcome.wantsHand)
        hand.plan([.remove, .place(1)])
      case .stands(let outcome): events.withLock { $0.append("stands \(outcome.bin)") }
      case .early: events.withLock { $0.append("early") }
      case .finished(let outcome): events.withLock { $0.append("\(outcome.verdict)") }
      default: break
      }
    }
    #expect(summary.passed == 1)
    #expect(events.withLock { $0 } == ["stands aside", "early", "passed"])
    #expect(began.duration(to: .now) >= .seconds(3))
  }

  @Test("a key answers a verdict")
  func key() throws {
    let bench = try LineBench(codes: 2)
    let (foreign, next) = (try LineBench.tag(0), try LineBench.tag(1))
    try write("https://example.org/", on: foreign)
    let hand = Hand([foreign, next])
    let (summary, _) = try bench.run([TestReader("1", hand)]) {
      ($0.timeout, $0.hold, $0.count) = (.seconds(20), .seconds(60), 1)
    } act: { line, event in
      switch event.kind {
      case .finished(let outcome) where outcome.verdict == .left:
        hand.plan([.remove, .place(1)])
      case .stands: line.answer(station: 0)
      default: break
      }
    }
    #expect(summary.passed == 1)
  }

  @Test("a tag that was written again, or a copy of its UID, is not said to hold its job")
  func readFirst() throws {
    let bench = try LineBench(codes: 2)
    let tag = try LineBench.tag(0)
    _ = try bench.run([TestReader("1", [tag])])
    let good = try bench.run([TestReader("1", [tag])]).outcomes.first
    #expect(good?.trouble?.cause == "written" && good?.bin == .good)
    try write("https://example.org/", on: tag)
    let changed = try bench.run([TestReader("1", [tag])]).outcomes.first
    #expect(changed?.trouble?.cause == "changed" && changed?.bin == .aside)
    #expect(changed?.trouble?.text.contains("holds other data") == true)
    #expect(LineBench.link(on: tag) == "https://example.org/")
  }

  @Test("a worn tag whose row has a password is set aside, and its job goes on")
  func wornWithPassword() throws {
    // It was pulled in the middle before it wore out.
    var (bench, tag) = (try LineBench("code,password\nA,01020304\n"), try LineBench.tag(0))
    let isHeld = try (8..<20).contains { place in
      (bench, tag) = (try LineBench("code,password\nA,01020304\n"), try LineBench.tag(0))
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .removed(afterObeying: false))]
      let torn = try bench.run([TestReader("1", [tag], faults: faults)])
      return torn.outcomes.first?.verdict == .held && LineBench.link(on: tag) == nil
    }
    #expect(isHeld)
    let other = try LineBench.tag(1)
    tag.eeprom.defects = tag.userMemory.lowerBound + 4..<tag.userMemory.upperBound
    var last: TagOutcome?
    for _ in 0..<2 { last = try bench.run([TestReader("1", [tag])]).outcomes.first }
    #expect(last?.bin == .bin, "\(String(describing: last))")
    let done = try bench.run([TestReader("1", [other])])
    #expect(done.summary.passed == 1)
    #expect(LineBench.link(on: tag) == nil)
  }

  @Test("a full disk at the commit holds a finished tag, and it is finished later")
  func fullDisk() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    let isFull = Atomic(false)
    let (summary, outcomes) = try bench.run([TestReader("1", [tag])]) { _ in
    } act: { line, event in
      guard case .progress(.step(let number, let count, _)) = event.kind, number == count,
        !isFull.exchange(true, ordering: .relaxed)
      else { return }
      try? line.series?.session.journal.database.writeWithoutTransaction { db in
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        // Whatever is left of the last pages.
        try db.execute(
          sql: """
            CREATE TEMP TRIGGER full BEFORE UPDATE ON job WHEN new.state = 'written'
            BEGIN SELECT raise(ABORT, 'database or disk is full'); END
            """)
      }
    }
    #expect(outcomes.map(\.verdict) == [.held] && outcomes.first?.bin == .again)
    #expect(outcomes.first?.next?.contains("aside") == true)
    #expect(summary.waitedFor == [UID(tag.uid)])
    let later = try bench.run([TestReader("1", [tag])])
    #expect(later.summary.passed == 1 && later.outcomes.first?.wasThere == true)
  }

  @Test(
    "what a worn tag kept of a message is switched off before it is set aside, and that is said")
  func scrapIsSilent() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    try write("https://example.org/", on: tag)
    tag.eeprom.defects = tag.userMemory.lowerBound + 12..<tag.userMemory.upperBound
    let (_, outcomes) = try bench.run([TestReader("1", [tag])]) { $0.overwrite = true }
    let outcome = try #require(outcomes.first)
    #expect(outcome.bin == .bin, "\(outcome)")
    #expect(LineBench.link(on: tag) == nil)
    let image = try #require(MemoryImage(tag.eeprom.bytes)?.message)
    #expect(image.isEmpty || image == [0xD0, 0, 0], "\(image)")
  }

  @Test("a message is not switched off on a tag that refused its first write and holds it whole")
  func refusedIsUntouched() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    // It differs from what the job writes in its last byte, and so in one page.
    let link = "https://example.com/t/0002"
    try write(link, on: tag)
    // AUTH0: pages 8 to the end take no write.
    var before = tag.eeprom.bytes
    before[0x29 * 4 + 3] = 8
    tag.eeprom.load(before)
    tag.powerOff()
    let (_, outcomes) = try bench.run([TestReader("1", [tag])]) { $0.overwrite = true }
    let outcome = try #require(outcomes.first)
    #expect(outcome.trouble?.cause == "refused", "\(outcome)")
    #expect(outcome.trouble?.text.contains("disabled") == false, "\(outcome)")
    #expect(tag.eeprom.bytes == before && LineBench.link(on: tag) == link)
  }

  @Test("tags that another journal's run has written end a run with a new journal")
  func otherJournal() throws {
    let (bench, fresh) = (try LineBench(codes: 3), try LineBench(codes: 3))
    let tag = try LineBench.tag(0)
    _ = try bench.run([TestReader("1", [tag])])
    tag.powerOff()
    let (summary, _) = try fresh.run([TestReader("1", [tag])])
    guard case .journal(.listHasJournal) = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
    tag.powerOff()
    let over = try fresh.run([TestReader("1", [tag])]) {
      ($0.startsOver, $0.overwrite) = (true, true)
    }
    #expect(over.summary.passed == 1)
  }

  @Test("a code that is scanned chooses the row; unknown and repeated ones are refused")
  func scanned() throws {
    let bench = try LineBench("code,serial\nA,1\nB,2\nC,3\n")
    let tags = [try LineBench.tag(0), try LineBench.tag(1)]
    let answers = Mutex<[String]>([])
    let scans = Mutex(["9", "3", "3", "1"])
    let (summary, outcomes) = try bench.run([TestReader("1", tags)], scanning: "serial") {
      ($0.timeout, $0.count) = (.seconds(20), 2)
    } act: { line, event in
      switch event.kind {
      case .scanWanted:
        // The answer comes by a thread of its own, as from a scanner.
        let code = scans.withLock { $0.removeFirst() }
        DispatchQueue.global().async { line.scan(code, station: 0) }
      case .scanned(_, let answer):
        answers.withLock { $0.append("\(answer)".prefix(while: { $0 != "(" }).description) }
        guard case .taken = answer else {
          let code = scans.withLock { $0.removeFirst() }
          DispatchQueue.global().async { line.scan(code, station: 0) }
          return
        }
      default: break
      }
    }
    #expect(summary.passed == 2)
    #expect(outcomes.compactMap { $0.job?.name } == ["C", "A"])
    #expect(answers.withLock { $0 } == ["unknown", "taken", "repeated", "taken"])
  }
}
