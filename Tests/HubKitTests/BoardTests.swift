import Ledger
import Provisioning
import Testing

@testable import HubKit
@testable import TagMemory

/// Events as a store gives them; times are milliseconds since the line began.
struct SampleLine {
  static let start: Int64 = 1_790_000_000_000
  private(set) var events: [NamedEvent] = []
  var run = "1"

  mutating func add(
    _ kind: String, at time: Int64, station: String? = "1", job: Int? = 1, cause: String? = nil,
    isScrap: Bool = false, bench: String = "left", lasting: Int64 = 0, tag: UInt8? = nil,
    told: Int64? = nil
  ) {
    let number = Int64(events.count + 1)
    var event = Event(
      number: number,
      Happening(
        kind: kind, job: job, tag: [4, 1, 2, 3, 4, 5, tag ?? UInt8(number % 200)],
        setsAside: isScrap),
      station: station, reader: "sim", cause: cause, text: cause.map { "Because of \($0)." },
      started: Self.start + time, duration: lasting * 1000)
    event.tagType = "ntag213"
    events.append(
      NamedEvent(
        event, batch: "A17", bench: bench, jobName: job.map { "CODE-\($0)" }, run: run,
        told: told.map { Self.start + $0 }))
  }

  func board(
    _ batch: HubBatch = HubBatch(id: "A17", source: "jobs.csv", jobs: 100, pending: 100),
    runs: [SeriesRun]? = nil, shown: [NamedStation] = [], at time: Int64
  ) -> Board {
    var history = BoardHistory()
    for event in events { history.take(event) }
    let runs =
      runs ?? [
        SeriesRun(bench: "left", operatorName: "Ann", began: Self.start, ended: nil, id: "1")
      ]
    return history.board(of: batch, runs: runs, shown: shown, now: Self.start + time)
  }
}

@Suite("A board")
struct BoardTests {
  @Test("stations stand by bench and name, and digits count as numbers")
  func order() {
    var line = SampleLine()
    let names = ["10", "st-10", "left", "9", "st-2", "st-02", "a1b10", "a1b9", "st-1"]
    for (index, name) in names.enumerated() {
      line.add(
        "written", at: Int64(index), station: name, bench: index < 7 ? "bench-2" : "bench-10")
    }
    let shown = line.board(at: 100).stations.map { "\($0.bench) \($0.station)" }
    #expect(
      shown == [
        "bench-2 9", "bench-2 10", "bench-2 a1b10", "bench-2 left", "bench-2 st-2",
        "bench-2 st-02", "bench-2 st-10", "bench-10 a1b9", "bench-10 st-1",
      ])
  }

  @Test("a station has the word and the bin of a terminal's live view for each event")
  func words() {
    let events: [(kind: String, cause: String?, isScrap: Bool)] = [
      ("reserved", nil, false), ("written", nil, false), ("returned", "refused", true),
      ("returned", "refused", false), ("held", "lost", false), ("passed", "foreign", false),
      ("passed", "written", false), ("resumed", nil, false), ("passed", "conflict", true),
      ("returned", "conflict", true),
    ]
    let shown = events.map { event -> String in
      var line = SampleLine()
      line.add(event.kind, at: 0, cause: event.cause, isScrap: event.isScrap)
      let station = line.board(at: 100).stations[0]
      return [station.word.text, station.bin?.rawValue, station.next, station.text]
        .compactMap(\.self)
        .joined(separator: "; ")
    }
    #expect(
      shown == [
        "WRITING", "PASS; good; good", "FAIL; bin; tag worn: bin it; it does not accept writes",
        "FAIL; aside; set it aside; it is locked or has a password",
        "LAY DOWN AGAIN; again; try it again; it was removed too early and may hold its job",
        "NOT WRITTEN; aside; foreign; it holds another message; it was not changed",
        "NOT WRITTEN; good; good already; it holds its job; put it with the good tags", "WRITING",
        "FAIL; bin; bin it; the database contradicts this bench about its job; nobody may use it",
        "FAIL; bin; bin it; the database contradicts this bench about its job; nobody may use it",
      ])
  }

  @Test("a tag that a pool contradicts has failed once, however often that is said of it")
  func contradicted() {
    var line = SampleLine()
    line.add("written", at: 0)
    for _ in 1...2 { line.add("passed", at: 1000, cause: "conflict", isScrap: true, tag: 7) }
    line.add("passed", at: 2000, cause: "conflict", isScrap: true, tag: 8)
    let board = line.board(at: 3000)
    #expect(board.stations[0].failed == 2 && board.stations[0].written == 1)
    #expect(board.periods.map(\.failed).reduce(0, +) == 2)
  }

  private func shown(
    _ word: String, at time: Int64, station: String = "1", run: String = "1", text: String? = nil,
    bin: String? = nil
  ) -> NamedStation {
    NamedStation(
      bench: "left", run: run,
      shown: ShownStation(
        name: station, word: word, bin: bin, text: text, since: SampleLine.start + time))
  }

  @Test("stations stand as their terminal shows them, whichever has said something last")
  func positions() {
    var line = SampleLine()
    let names = ["left", "right", "front", "back"]
    for (index, name) in names.reversed().enumerated() {
      line.add("written", at: Int64(index), station: name)
    }
    var rows = names.enumerated().map { index, name in
      var station = shown("place", at: Int64(50 - index), station: name)
      station.shown.position = index
      return station
    }
    #expect(line.board(shown: rows, at: 100).stations.map(\.station) == names)
    // What is older than an event says where the station stands, too.
    for name in names { line.add("written", at: 60, station: name) }
    rows.reverse()
    #expect(line.board(shown: rows, at: 100).stations.map(\.station) == names)
  }

  @Test("how long runs worked on a batch that is over, without the time between them")
  func workSeconds() {
    var line = SampleLine()
    func run(_ id: String, _ began: Int64, _ ended: Int64?) -> SeriesRun {
      SeriesRun(
        bench: "left", operatorName: "Ann", began: SampleLine.start + began,
        ended: ended.map { SampleLine.start + $0 }, id: id)
    }
    line.add("written", at: 9_000, lasting: 1000)
    line.add("written", at: 3_700_000, lasting: 10_000)
    let over = HubBatch(id: "A17", source: "", jobs: 2, pending: 0, reserved: 0, written: 2)
    // Two side by side, a pause, and one that nobody has ended.
    let runs = [run("3", 3_600_000, nil), run("2", 5000, 20_000), run("1", 0, 10_000)]
    #expect(line.board(over, runs: runs, at: 9_000_000).workSeconds == 130)
    var open = over
    (open.jobs, open.pending) = (3, 1)
    #expect(line.board(open, runs: runs, at: 9_000_000).workSeconds == nil)
    #expect(line.board(over, runs: [], at: 9_000_000).workSeconds == nil)
    let many = (0..<200).map { run("\($0)", 0, 10) }
    #expect(line.board(over, runs: many, at: 9_000_000).workSeconds == nil, "perhaps not all")
  }

  @Test("a station has the word that it shows, where no later event says something else")
  func shownWords() {
    var line = SampleLine()
    line.add("written", at: 0, lasting: 100)
    func station(_ word: String, at time: Int64) -> BoardStation {
      line.board(shown: [shown(word, at: time, text: "why")], at: 900).stations[0]
    }
    let lost = station("lost", at: 500)
    #expect(lost.word == .lost && lost.text == "why" && lost.bin == nil && lost.uid == nil)
    #expect(lost.since == SampleLine.start + 500 && lost.written == 1 && lost.job == nil)
    #expect(station("verifying", at: 90).word == .pass, "the verdict came later")
    #expect(station("inspect", at: 100).word == .inspect, "at the same moment")
    #expect(station("nonsense", at: 500).word == .pass)
    line.add("reserved", at: 600)
    #expect(station("lost", at: 500).word == .writing)
  }

  @Test("a verdict that a station shows stands in the words of its event")
  func shownVerdict() {
    var line = SampleLine()
    line.add("returned", at: 0, cause: "refused", isScrap: true, lasting: 100, tag: 7)
    func next(_ word: String, bin: String, tag: UInt8 = 7) -> String? {
      var shown = shown(word, at: 200, text: "the next tag came too early", bin: bin)
      shown.shown.uid = [4, 1, 2, 3, 4, 5, tag]
      return line.board(shown: [shown], at: 900).stations[0].next
    }
    #expect(next("fail", bin: "bin") == "tag worn: bin it")
    #expect(next("fail", bin: "bin", tag: 8) == "bin it", "another tag")
    #expect(next("pass", bin: "good") == "good" && next("again", bin: "again") != nil)
  }

  @Test("a station that has shown something stands on the board before its first tag")
  func beforeTheFirstTag() {
    let line = SampleLine()
    let shown = [shown("place", at: 5, station: "10"), shown("lost", at: 5, station: "2")]
    let stations = line.board(shown: shown, at: 900).stations
    #expect(stations.map(\.station) == ["2", "10"] && stations.map(\.word) == [.lost, .place])
    #expect(stations.map(\.operatorName) == ["Ann", "Ann"])
  }

  @Test("what a station shows in a new run has not the counts of the last")
  func nextRun() {
    var line = SampleLine()
    line.add("written", at: 0)
    func runs(ended: Int64?) -> [SeriesRun] {
      let began = SampleLine.start
      return [
        SeriesRun(bench: "left", operatorName: "Ann", began: began + 40, ended: ended, id: "2"),
        SeriesRun(bench: "left", operatorName: "Ann", began: began, ended: began + 30, id: "1"),
      ]
    }
    let place = shown("place", at: 50, run: "2")
    let station = line.board(runs: runs(ended: nil), shown: [place], at: 900).stations[0]
    #expect(station.word == .place && station.written == 0)
    line.run = "2"
    line.add("written", at: 60)
    let runs = runs(ended: SampleLine.start + 99)
    let last = line.board(runs: runs, shown: [shown("lost", at: 70, run: "2")], at: 900)
    #expect(last.stations.map(\.word) == [.ended], "its run is over, whatever it has shown last")
  }

  @Test("what an operator does to a job is no news of a station")
  func operators() {
    var line = SampleLine()
    line.add("written", at: 0)
    line.add("released", at: 10, job: 2, cause: "released")
    line.add("retried", at: 20, station: nil, job: 3)
    let board = line.board(at: 30)
    #expect(board.stations.map(\.word) == [.pass] && board.stations[0].job == 1)
    #expect(board.lastEvent == 3)
  }

  @Test("stations are in order, with their operator and the counts of their run")
  func stations() {
    var line = SampleLine()
    line.add("written", at: 0, station: "10")
    line.add("written", at: 0, station: "2")
    line.add("held", at: 0, station: "2")
    line.add("written", at: 0, station: "1", bench: "a")
    let board = line.board(at: 30)
    #expect(board.stations.map(\.id) == ["a/1", "left/2", "left/10"])
    #expect(board.stations.map(\.written) == [1, 1, 1])
    #expect(board.stations.map(\.failed) == [0, 1, 0])
    #expect(board.stations[1].operatorName == "Ann")
    line.run = "2"
    line.add("written", at: 40, station: "2")
    #expect(line.board(at: 50).stations[1].failed == 0)
  }

  @Test("a station whose run has ended says so, and shows no tag")
  func ended() {
    var line = SampleLine()
    line.add("held", at: 0)
    func run(_ id: String, began: Int64, ended: Int64?) -> SeriesRun {
      SeriesRun(
        bench: "left", operatorName: "Ann", began: SampleLine.start + began,
        ended: ended.map { SampleLine.start + $0 }, id: id)
    }
    let station = line.board(runs: [run("1", began: -9, ended: 500)], at: 900).stations[0]
    #expect(station.word == .ended && station.since == SampleLine.start + 500)
    #expect(station.uid == nil && station.job == nil && station.bin == nil)
    // Its run is not among the newest: it was followed by another.
    #expect(line.board(runs: [run("7", began: 80, ended: nil)], at: 900).stations[0].word == .ended)
    #expect(line.board(runs: [], at: 900).stations[0].word == .again)
    // The next day it is no news beside the stations of that day.
    line.run = "2"
    line.add("written", at: 86_400_000, station: "2")
    let runs = [run("2", began: 86_000_000, ended: nil), run("1", began: -9, ended: 500)]
    #expect(line.board(runs: runs, at: 86_500_000).stations.map(\.station) == ["2"])
  }

  @Test("the rate is that of the last ten minutes, and gives the time that is left")
  func rates() {
    var line = SampleLine()
    #expect(line.board(at: 0).tagsPerHour == nil && line.board(at: 0).yield == nil)
    // A tag every six seconds.
    for number in 0..<10 { line.add("written", at: Int64(number) * 6000, lasting: 6000) }
    let batch = HubBatch(id: "A17", source: "", jobs: 100, pending: 85, reserved: 5, written: 10)
    let board = line.board(batch, at: 60_000)
    #expect(board.tagsPerHour == 600 && board.secondsLeft == 540 && board.yield == 1)
    #expect(board.stations[0].tagsPerHour == 600)
    var closed = batch
    closed.isClosed = true
    #expect(line.board(closed, at: 60_000).secondsLeft == 30)
    let later = line.board(batch, at: 700_000)
    #expect(later.tagsPerHour == nil && later.secondsLeft == nil)
    // After a pause the rate is not that of the pause, nor that of one tag.
    line.add("written", at: 3_600_000, lasting: 6000)
    #expect(line.board(batch, at: 3_606_000).tagsPerHour == nil)
    for number in 1..<5 { line.add("written", at: 3_600_000 + Int64(number) * 6000, lasting: 6000) }
    #expect(line.board(batch, at: 3_630_000).tagsPerHour == 600)
  }

  @Test("failures are counted by cause, also those before the newest events")
  func failures() {
    var line = SampleLine()
    line.add("returned", at: 0, cause: "refused")
    line.add("held", at: 0, cause: "lost")
    line.add("passed", at: 0, cause: "foreign")
    line.add("held", at: 0, cause: "lost")
    for _ in 0..<3 { line.add("written", at: 0) }
    // One of them was written again.
    let batch = HubBatch(id: "A17", source: "", jobs: 4, written: 2)
    let board = line.board(batch, at: 10)
    #expect(
      board.failures == [
        Figures.NamedCause("lost", count: 2, example: "Because of lost."),
        Figures.NamedCause("refused", count: 1, example: "Because of refused."),
      ])
    #expect(board.yield == 0.5)
    var known = Figures()
    known.add(.failure, "lost", tagType: nil, example: "The first.", times: 40)
    var history = BoardHistory(after: 2, figures: known, recent: Array(line.events[..<2]))
    for event in line.events { history.take(event) }
    let later = history.board(of: batch, runs: [], now: SampleLine.start)
    #expect(later.failures == [Figures.NamedCause("lost", count: 41, example: "The first.")])
  }

  @Test("periods follow each other without a gap, few enough to be shown")
  func periods() {
    var line = SampleLine()
    for number in [0, 1, 2, 5, 300] {
      line.add(number == 2 ? "returned" : "written", at: Int64(number) * 60_000)
    }
    let board = line.board(at: 18_000_000)
    #expect(board.periods.count <= 24 && board.periodSeconds == 1800)
    let starts = board.periods.map(\.start)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == 1_800_000 })
    #expect(board.periods.reduce(0) { $0 + $1.written } == 4)
    #expect(board.periods.reduce(0) { $0 + $1.failed } == 1)
  }

  @Test("more events than a board needs are forgotten")
  func bounded() {
    var line = SampleLine()
    let count = BoardHistory.span + 1500
    for number in 0..<count { line.add("written", at: Int64(number)) }
    let shown = line.board(at: 0).periods.reduce(0) { $0 + $1.written }
    #expect(shown >= BoardHistory.span && shown < count)
  }
}
