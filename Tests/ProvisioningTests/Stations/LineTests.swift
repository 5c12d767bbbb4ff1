import Foundation
import NDEF
import PN532Simulator
import Pace
import Readers
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("A line of stations")
struct LineTests {
  private func isDone(_ summary: LineSummary) -> Bool {
    if case .complete = summary.ending { true } else { false }
  }

  @Test("puts every code on one tag, at three readers with bad and wrong tags among them")
  func everyCodeOnce() throws {
    let bench = try LineBench(codes: 60)
    let readers = try (0..<3).map { number in
      let spec = try SimulatedTagSpec(
        parsing: "ntag213*40,bad=10%,wrong=5%", firstIndex: number * 40)
      return TestReader("reader \(number)", try (0..<40).map { try spec.tag(at: $0) })
    }
    let (summary, outcomes) = try bench.run(readers) { $0.timeout = .seconds(30) }
    #expect(isDone(summary) && summary.passed == 60 && summary.scrap > 0, "\(summary)")
    let links = readers.flatMap(\.tags).compactMap { LineBench.link(on: $0) }
    #expect(links.count == 60 && Set(links).count == 60)
    let passed = outcomes.filter { $0.verdict == .passed }
    #expect(Set(passed.compactMap { $0.job?.number }).count == 60)
    let journal = try bench.journal.open()
    #expect(try journal.verify().isEmpty)
    for tag in readers.flatMap(\.tags) {
      guard case .written(let written)? = try journal.history(of: UID(tag.uid)) else {
        #expect(
          LineBench.link(on: tag) == nil, "a tag that the journal does not have holds no code")
        continue
      }
      #expect(LineBench.link(on: tag) == written.uri)
    }
  }

  @Test("finds a tag although an answer of its first look is lost")
  func lostLook() throws {
    for place in 0..<5 {
      let bench = try LineBench(codes: 1)
      let reader = TestReader("1", [try LineBench.tag(0)], lostAnswer: place)
      let (summary, _) = try bench.run([reader])
      #expect(isDone(summary) && summary.passed == 1, "at \(place): \(summary)")
      #expect(reader.reopenings == 0)
    }
  }

  @Test("refuses a tag that holds another message, unless it may be lost")
  func foreign() throws {
    let bench = try LineBench(codes: 2)
    let tag = try LineBench.tag(0)
    try write("https://example.org/", on: tag)
    let refused = try bench.run([TestReader("1", [tag])])
    #expect(refused.outcomes.first?.trouble?.cause == "foreign" && refused.summary.left == 1)
    #expect(LineBench.link(on: tag) == "https://example.org/")
    let taken = try bench.run([TestReader("1", [tag])]) { $0.overwrite = true }
    #expect(taken.outcomes.first?.verdict == .passed)
    #expect(LineBench.link(on: tag) == "https://example.com/t/0001")
  }

  @Test("leaves a tag that has its job alone, and writes the same job again when asked to")
  func known() throws {
    let bench = try LineBench(codes: 2)
    let tag = try LineBench.tag(0)
    _ = try bench.run([TestReader("1", [tag])])
    let again = try bench.run([TestReader("1", [tag])])
    #expect(again.outcomes.first?.trouble?.cause == "written")
    #expect(again.outcomes.first?.job?.number == 1)
    try write("https://example.org/", on: tag)
    let rewritten = try bench.run([TestReader("1", [tag])]) {
      ($0.rewrite, $0.overwrite) = (true, true)
    }
    #expect(rewritten.outcomes.first?.verdict == .passed)
    #expect(LineBench.link(on: tag) == "https://example.com/t/0001")
  }

  @Test("tells a copy of another tag")
  func copies() throws {
    let bench = try LineBench(codes: 2)
    let (tag, copy) = (try LineBench.tag(0), try LineBench.tag(1))
    _ = try bench.run([TestReader("1", [tag])])
    try write("https://example.com/t/0001", on: copy)
    let seen = try bench.run([TestReader("1", [copy])]) { $0.overwrite = true }
    #expect(seen.outcomes.first?.trouble?.cause == "copy")
    #expect(LineBench.link(on: copy) == "https://example.com/t/0001")
  }

  @Test("asks for no more tags than it was told to, however many stations there are")
  func counting() throws {
    let bench = try LineBench(codes: 20)
    let readers = try (0..<4).map { number in
      TestReader("\(number)", try (0..<10).map { try LineBench.tag(number * 10 + $0) })
    }
    let (summary, _) = try bench.run(readers) { ($0.count, $0.timeout) = (7, .seconds(30)) }
    #expect(isDone(summary) && summary.passed == 7)
    #expect(readers.flatMap(\.tags).compactMap { LineBench.link(on: $0) }.count == 7)
  }

  @Test("is not ended by its timeout while it waits for rows, and is while it has jobs")
  func waitsForRows() {
    var options = LineOptions()
    (options.timeout, options.follows) = (.seconds(60), true)
    let time = TestTime()
    let state = LineState(options, pending: 0, waitedFor: [], clock: time.clock)
    time.advance(.seconds(3600))
    state.endIfIdle()
    #expect(!state.isOver)
    state.noteAdded(1)
    time.advance(.seconds(59))
    state.endIfIdle()
    #expect(!state.isOver)
    time.advance(.seconds(1))
    state.endIfIdle()
    #expect(state.isOver)
  }

  @Test("is not done while a station reserves the last job, nor by a count of before it came back")
  func reserving() throws {
    let state = LineState(LineOptions(), pending: 1, waitedFor: [])
    try state.taking(isNew: true) {
      // Another station hears that no job waits.
      state.note(pending: 0)
    } isKept: {
      #expect(state.takenIfDone == nil)
      return false
    }
    let before = try #require(state.takenIfDone)
    try state.taking(isNew: true) {
    } isKept: {
      true
    }
    #expect(state.takenIfDone == nil)
    state.settle(isBack: true)
    state.endIfDone(pending: 0, waitedFor: [], taken: before)
    #expect(!state.isOver)
    state.endIfDone(pending: 0, waitedFor: [], taken: try #require(state.takenIfDone))
    #expect(state.isOver)
  }

  @Test("enters the names of its stations in the journal, where they have some")
  func stationNames() throws {
    let bench = try LineBench(codes: 4)
    _ = try bench.run([TestReader("a", [LineBench.tag(1)])])
    _ = try bench.run(
      [TestReader("a", [LineBench.tag(2)]), TestReader("b", [LineBench.tag(3)])]
    ) {
      // As soon as one look finds nothing, a line without time ends at its other stations, too.
      ($0.stationNames, $0.count, $0.timeout) = (["left", "right"], 2, .seconds(60))
    }
    let stations = try bench.journal.open(.readOnly).writtenTags().map(\.station)
    #expect(Set(stations) == ["1", "left", "right"])
  }

  @Test("comes to its end when more stations wait than jobs are left")
  func crowdedEnd() throws {
    let bench = try LineBench(codes: 20)
    let readers = try (0..<16).map { number in
      TestReader("\(number)", try (0..<3).map { try LineBench.tag(number * 3 + $0) })
    }
    let (summary, _) = try bench.run(readers) { $0.timeout = .seconds(600) }
    #expect(isDone(summary) && summary.passed == 20, "\(summary)")
    #expect(summary.elapsed < .seconds(300), "stations that find no job keep the last one waiting")
  }

  @Test(
    "gives a job whose tag is lost to another tag when it is released, and never uses the lost one")
  func released() throws {
    let bench = try LineBench(codes: 1)
    let (tag, other) = (try LineBench.tag(0), try LineBench.tag(1))
    let session = try bench.session()
    let lost = PresentedTag(uid: UID(tag.uid), tagType: "ntag213", station: "1", reader: "1")
    guard case .reserved(let reservation) = try session.reserve(for: lost, make: makeText) else {
      Issue.record("nothing was reserved")
      return
    }
    try session.hold(reservation)
    try session.end()
    let waiting = try bench.run([TestReader("1", [other])])
    #expect(waiting.summary.waitedFor == [UID(tag.uid)] && waiting.summary.passed == 0)
    let next = try bench.session()
    #expect(try next.release(.absent).count == 1)
    try next.end()
    let found = try bench.run([TestReader("1", [tag, other])]) { $0.timeout = .seconds(60) }
    #expect(found.outcomes.first?.trouble?.cause == "scrap")
    #expect(LineBench.link(on: tag) == nil && LineBench.link(on: other) != nil)
  }

  @Test("ends in time when only a tag that is away is left, however many new tags are laid down")
  func heldUp() throws {
    let bench = try LineBench(codes: 1)
    let session = try bench.session()
    let uid = UID(try LineBench.tag(0).uid)
    let away = PresentedTag(uid: uid, tagType: "ntag213", station: "1", reader: "1")
    guard case .reserved(let reservation) = try session.reserve(for: away, make: makeText) else {
      Issue.record("nothing was reserved")
      return
    }
    try session.hold(reservation)
    try session.end()
    let reel = try (1...2_000).map { try LineBench.tag($0) }
    let (summary, outcomes) = try bench.run([TestReader("1", reel)]) {
      $0.timeout = .seconds(1)
    }
    guard case .idle = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
    #expect(summary.waitedFor == [uid] && summary.left > 1 && summary.left < reel.count)
    let text = outcomes.last?.trouble?.text ?? ""
    #expect(text.contains("No job is left") && text.contains("\(uid)"), "\(text)")
    #expect(reel.allSatisfy { LineBench.link(on: $0) == nil })
  }

  @Test("a tag that wears out as its job is written anew fails, and its job goes to the next tag")
  func wornWhenRewritten() throws {
    let bench = try LineBench(codes: 1)
    let spec = try SimulatedTagSpec(parsing: "ntag213*1,bad=100%")
    let (worn, next) = (try spec.tag(at: 0), try LineBench.tag(1))
    let good = try LineBench.tag(0)
    #expect(good.uid == worn.uid)
    _ = try bench.run([TestReader("1", [good])])
    let (summary, outcomes) = try bench.run([TestReader("1", [worn, next])]) {
      ($0.rewrite, $0.overwrite, $0.count, $0.timeout) = (true, true, 1, .seconds(20))
    }
    #expect(outcomes.map(\.verdict) == [.failed, .passed], "\(outcomes.map(\.trouble))")
    #expect(outcomes.first?.isScrap == true && summary.waitedFor.isEmpty)
    #expect(LineBench.link(on: worn) != "https://example.com/t/0001")
    #expect(LineBench.link(on: next) == "https://example.com/t/0001")
    #expect(try bench.journal.open().verify().isEmpty)
  }

  @Test("ends when too many tags fail")
  func failing() throws {
    let bench = try LineBench(codes: 20)
    let spec = try SimulatedTagSpec(parsing: "ntag213*20,bad=100%")
    let tags = try (0..<20).map { try spec.tag(at: $0) }
    let (summary, _) = try bench.run([TestReader("1", tags)]) {
      ($0.failureLimit, $0.timeout) = (3, .seconds(30))
    }
    guard case .failures = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
    #expect(summary.failed == 3 && summary.pending == 20 && summary.lastFailure == .refused)
  }

  @Test(
    "a tag that goes away at any moment keeps its job, or gives it back and provably has it not")
  func removal() throws {
    let undisturbed = try LineBench(codes: 1)
    let first = try LineBench.tag(0)
    let chip = TestReader("1", [first])
    #expect(try undisturbed.run([chip]).summary.passed == 1)
    var verdicts: [TagOutcome.Verdict: Int] = [:]
    for place in 1..<14 {
      for isAfter in [false, true] {
        let bench = try LineBench(codes: 1)
        let (tag, other) = (try LineBench.tag(0), try LineBench.tag(1))
        var faults = FaultPlan()
        faults.exchanges = [(.at(place), .removed(afterObeying: isAfter))]
        let torn = try bench.run([TestReader("1", [tag], faults: faults)])
        guard let outcome = torn.outcomes.first else { continue }
        verdicts[outcome.verdict, default: 0] += 1
        // Another tag gets the job only when the first one does not have it.
        _ = try bench.run([TestReader("1", [other])])
        _ = try bench.run([TestReader("1", [tag])])
        let code = "https://example.com/t/0001"
        let holders = [tag, other].filter { LineBench.link(on: $0) == code }
        #expect(holders.count == 1, "place \(place), \(isAfter)")
        let journal = try bench.journal.open()
        #expect(try journal.verify().isEmpty && journal.tally().written == 1)
        if outcome.verdict == .held {
          #expect(holders.first === tag)
        }
      }
    }
    #expect((verdicts[.failed] ?? 0) > 0 && (verdicts[.held] ?? 0) > 0)
  }

  @Test("goes on where a run was interrupted in the middle of a tag")
  func interrupted() throws {
    let bench = try LineBench(codes: 3)
    let tags = try (0..<3).map { try LineBench.tag($0) }
    let (summary, _) = try bench.run([TestReader("1", tags)]) {
      $0.timeout = .seconds(30)
    } until: { event in
      if case .progress(.step(let number, _, _)) = event.kind { number == 4 } else { false }
    }
    guard case .interrupted = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
    for tag in tags { tag.powerOff() }
    #expect(
      try bench.run([TestReader("1", tags)]) { $0.timeout = .seconds(30) }.summary.passed == 3)
    #expect(Set(tags.compactMap { LineBench.link(on: $0) }).count == 3)
  }

  @Test("tells two tags at once, and touches neither")
  func severalTags() throws {
    let bench = try LineBench(codes: 2)
    let tags = [try LineBench.tag(0), try LineBench.tag(1)]
    let (summary, _) = try bench.run([TestReader("2", together: tags)])
    #expect(summary.causes["several"] == 1 && summary.passed == 0)
    #expect(tags.allSatisfy { LineBench.link(on: $0) == nil })
  }
}
