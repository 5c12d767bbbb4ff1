import NDEF
import Readers
import TagMemory
import Testing

@testable import Provisioning
@testable import TagProgramming
@testable import nfcprog

@Suite("The live view of a line")
struct LiveViewTests {
  private func outcome(
    _ verdict: TagOutcome.Verdict, _ reason: String = "It failed."
  ) -> TagOutcome {
    var outcome = TagOutcome(verdict: verdict, uid: UID([4, 1, 2, 3, 4, 5, 6]))
    let record = MessageTemplate.Record(option: "uri", text: "https://example.com")
    outcome.job = TagOutcome.Job(
      PlannedJob(
        number: 7, line: 8, offset: 0, name: "T-0007",
        message: MessageTemplate(records: [record]), tagType: nil, locks: false,
        hasPassword: false, columns: [], digest: []))
    if verdict != .passed { outcome.trouble = TagTrouble("lost", reason) }
    return outcome
  }

  private func text(_ view: LiveView, width: Int = 80, height: Int = 24) -> [String] {
    view.lines(width: width, height: height, elapsed: .seconds(90))
      .map { $0.map(\.text).joined() }
  }

  @Test("says in words what each station waits for, and what came of its tag")
  func words() {
    var view = LiveView(title: "a", stations: ["left", "right"], goal: 10)
    func word(after kind: LineEvent.Kind) -> String {
      view.take(LineEvent(station: 1, kind: kind))
      return view.places[1].word.rawValue
    }
    #expect(word(after: .ready) == "PLACE TAG")
    let page = TagProgram.Step.writePage(4, [0, 0, 0, 0], .content)
    #expect(word(after: .progress(.step(number: 1, count: 3, page))) == "WRITING")
    let check = TagProgram.Step.checkPages(first: 4, [0])
    #expect(word(after: .progress(.step(number: 3, count: 3, check))) == "CHECKING")
    #expect(word(after: .finished(outcome(.passed))) == "REMOVE – PASS")
    #expect(word(after: .finished(outcome(.failed))) == "REMOVE – FAIL")
    #expect(word(after: .finished(outcome(.held))) == "LAY DOWN AGAIN")
    #expect(word(after: .finished(outcome(.left))) == "REMOVE – NOT WRITTEN")
    #expect(word(after: .crowd([])) == "ONE TAG ONLY")
    #expect(word(after: .lost("unplugged")) == "READER AWAY")
    #expect(view.places[0].word == .starting, "the other station is as it was")
    #expect((view.passed, view.failed, view.held, view.left) == (1, 1, 1, 1))
  }

  @Test("tells progress, rate and the time that is left")
  func progress() {
    var view = LiveView(title: "a", stations: ["x"], goal: 40, before: 10)
    for _ in 0..<10 { view.take(LineEvent(station: 0, kind: .finished(outcome(.passed)))) }
    let lines = text(view)
    #expect(lines[1] == "[##########··········] 20 of 40 done, 0 failed")
    #expect(lines[2] == "running 1:30, 400 tags an hour, about 3:00 left")
  }

  @Test(
    "never takes more room than there is, and shows every station",
    arguments: [(80, 24), (160, 50), (40, 10), (20, 3), (80, 6)], [1, 4, 32, 100])
  func fits(size: (Int, Int), stations: Int) {
    var view = LiveView(
      title: String(repeating: "title ", count: 40),
      stations: (0..<stations).map { "pn532_uart:/dev/ttyUSB\($0)" }, goal: 1000)
    for number in 0..<stations {
      view.take(
        LineEvent(
          station: number,
          kind: .finished(outcome(.failed, String(repeating: "a long reason\n", count: 30)))))
    }
    let lines = text(view, width: size.0, height: size.1)
    #expect(lines.count <= size.1)
    #expect(lines.allSatisfy { $0.count <= size.0 && !$0.contains(where: \.isNewline) })
    if size.1 >= 24, stations <= 32 {
      let shown = lines.joined(separator: "\n")
      #expect(shown.components(of: "FAIL") == stations)
    }
  }

  @Test("keeps what tags and tables say from moving the cursor")
  func harmless() {
    var view = LiveView(title: "a", stations: ["x"], goal: 1)
    view.take(LineEvent(station: 0, kind: .finished(outcome(.failed, "\u{1B}[2J\u{07}gone"))))
    #expect(!text(view).joined().contains("\u{1B}"))
  }

  @Test("the exit status says why a run ended")
  func conclusions() {
    func status(
      _ ending: LineEnding, isAll: Bool = true, _ change: (inout LineSummary) -> Void = { _ in }
    ) -> Int32 {
      var summary = LineSummary()
      summary.ending = ending
      change(&summary)
      return LineConclusion(summary, defective: 0, isAll: isAll).status.rawValue
    }
    let tag = UID([1, 2, 3, 4])
    #expect(status(.complete) == 0)
    #expect(status(.complete) { $0.pending = 1 } == 75)
    #expect(status(.complete, isAll: false) { $0.pending = 1 } == 0)
    #expect(status(.idle) { ($0.pending, $0.passed) = (1, 1) } == 75)
    #expect(status(.idle) { $0.waitedFor = [tag] } == 74)
    #expect(status(.idle) { ($0.pending, $0.lastFailure) = (1, .refused) } == 77)
    #expect(status(.idle) { ($0.pending, $0.causes) = (1, ["several": 1]) } == 74)
    #expect(status(.idle) { $0.lostReaders = ["left"] } == 69)
    #expect(status(.failures) { $0.lastFailure = .mismatch } == 76)
    #expect(status(.interrupted) == 130)
    #expect(status(.journal(.full("j"))) == 73)
    #expect(status(.labels(.cannotWrite("l", reason: "full"))) == 73)
  }

  @Test("secrets are left out of the command line that the journal keeps")
  func masking() {
    #expect(
      ProvisionRun.maskingSecrets(["a", "--set-password", "12345678", "--key=AABB", "b"])
        == ["a", "--set-password", "**", "--key=**", "b"])
  }

  @Test("columns become variables of the environment")
  func variables() {
    #expect(ResultCommand.name("batch no. é") == "BATCH_NO___")
    let variables = ResultCommand.variables(outcome(.failed), reader: "r", station: 1)
    #expect(variables["NFCPROG_RESULT"] == "failed" && variables["NFCPROG_JOB"] == "7")
    #expect(variables["NFCPROG_STATION"] == "2" && variables["NFCPROG_UID"] == "04010203040506")
  }
}

extension String {
  /// How often `part` stands in it.
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
