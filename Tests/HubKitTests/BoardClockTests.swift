import Foundation
import Ledger
import Pace
import Provisioning
import Testing

@testable import HubKit

/// What a board makes of rows and clocks that are as no good bench has them.
@Suite("A board, and times and numbers that are impossible")
struct BoardClockTests {
  private func run(
    _ id: String, began: Int64 = 0, ended: Int64? = nil, wasCutOff: Bool = false,
    silentSince: Int64? = nil, bench: String = "left"
  ) -> SeriesRun {
    SeriesRun(
      bench: bench, operatorName: "Ann", began: SampleLine.start + began,
      ended: ended.map { SampleLine.start + $0 }, wasCutOff: wasCutOff,
      silentSince: silentSince.map { SampleLine.start + $0 }, id: id)
  }

  private func shown(_ word: String, since: Int64, run: String = "1") -> NamedStation {
    NamedStation(bench: "left", run: run, shown: ShownStation(name: "1", word: word, since: since))
  }

  @Test("a row with any number makes a board", arguments: [Int64.min, -1, 0, .max])
  func anyNumber(number: Int64) {
    var line = SampleLine()
    for index in 0..<9 { line.add("written", at: Int64(index) * 6000, lasting: 6000) }
    line.add("returned", at: 60_000, cause: "refused", told: number / 2)
    let batch = HubBatch(
      id: "A17", source: "", jobs: number.asStoredCount, pending: number.asStoredCount, written: 9)
    let board = line.board(
      batch, runs: [run("1", ended: number == 0 ? nil : 5)],
      shown: [shown("place", since: number)], at: 61_000)
    #expect(board.stations.count == 1 && board.periods.count <= 24)
    #expect(!BoardJSON(board).stations[0].since.isEmpty)
    #expect(!BatchJSON(HubBatch(id: "A17", source: "", made: number)).made.isEmpty)
    let many = HubBatch(id: "A17", source: "", jobs: .max, pending: .max, written: 9)
    #expect(line.board(many, at: 61_000).secondsLeft == nil)
  }

  @Test("a bench that is not heard of is said to be so, with the last word that it showed")
  func silent() {
    var line = SampleLine()
    for index in 0..<9 { line.add("written", at: Int64(index) * 6000, lasting: 6000) }
    line.add("reserved", at: 54_000)
    let board = line.board(runs: [run("1", silentSince: 57_000)], at: 58_000)
    let station = board.stations[0]
    #expect(station.isSilent && station.word == .writing && station.bin == nil)
    #expect(station.since == SampleLine.start + 57_000 && station.job == 1)
    #expect(station.next == "look at its bench" && station.text == "it showed WRITING last")
    let json = BoardJSON(board).stations[0]
    #expect(json.word == "NOT HEARD OF" && json.lastWord == "WRITING")
    #expect(board.tagsPerHour == nil && board.secondsLeft == nil, "nobody works")
    #expect(station.tagsPerHour == nil)
    // The run that says that it has ended has ended.
    let ended = line.board(runs: [run("1", ended: 57_000)], at: 58_000).stations[0]
    #expect(ended.word == .ended && !ended.isSilent && ended.next == "the run has ended")
    let cutOff = line.board(runs: [run("1", ended: 57_000, wasCutOff: true)], at: 58_000)
    #expect(cutOff.stations[0].word == .ended && cutOff.stations[0].next == "the run was cut off")
  }

  @Test("nobody is silent in the first time after the store was away")
  func grace() throws {
    let store = SampleStore()
    store.change { state in
      state.line.add("written", at: 0)
      state.runs = [run("1", silentSince: 5)]
    }
    let time = TestTime()
    var reader = BoardReader(store, "A17", grace: .seconds(45), time: { time.now })
    #expect(try reader.read().board?.stations.first?.isSilent == true)
    store.change { $0.isAway = true }
    #expect(throws: HubError.self) { try reader.read() }
    store.change { state in
      state.isAway = false
      state.line.add("written", at: 9)
    }
    #expect(try reader.read().board?.stations.first?.isSilent == false)
    time.advance(.seconds(44))
    store.change { $0.line.add("written", at: 9) }
    #expect(try reader.read().board?.stations.first?.isSilent == false)
    time.advance(.seconds(1))
    store.change { $0.line.add("written", at: 10) }
    #expect(try reader.read().board?.stations.first?.isSilent == true)
  }

  @Test("a bench whose clock is wrong is on the board, and changes no rate and no chart")
  func skew() {
    for wrong: Int64 in [-SampleLine.start, -3_600_000, 3_600_000, 86_400_000 * 300] {
      var line = SampleLine()
      // Both finish a tag every six seconds.
      for index in 1...20 {
        let time = Int64(index) * 6000
        line.add("written", at: time - 6000, lasting: 6000, told: time + 50)
        line.add(
          "written", at: time - 3000 + wrong, bench: "wrong", lasting: 3000, told: time + 60)
      }
      let runs = [run("1"), run("1", bench: "wrong")]
      let board = line.board(runs: runs, at: 120_100)
      #expect(board.tagsPerHour.map { (1190...1210).contains($0) } == true, "\(wrong)")
      #expect(board.stations.map(\.bench) == ["left", "wrong"])
      #expect(board.stations.allSatisfy { $0.tagsPerHour.map { (590...620).contains($0) } == true })
      let ages = board.stations.map { SampleLine.start + 120_100 - $0.since }
      #expect(ages.allSatisfy { (0...200).contains($0) }, "\(wrong): \(ages)")
      #expect(board.periods.count <= 24 && board.periodSeconds <= 10)
      #expect(board.periods.reduce(0) { $0 + $1.written } == 40)
    }
  }

  @Test("an old verdict among new ones, and one of the future, hide no others from the rate")
  func mixed() {
    var line = SampleLine()
    for index in 0..<20 { line.add("written", at: Int64(index) * 6000, lasting: 6000) }
    line.add("written", at: -SampleLine.start, station: "2")
    line.add("written", at: 86_400_000, station: "3")
    for index in 20..<30 { line.add("written", at: Int64(index) * 6000, lasting: 6000) }
    let board = line.board(at: 180_000)
    #expect(board.tagsPerHour == 600)
    #expect(board.stations.count == 3 && board.periods.count <= 24)
    #expect(board.stations.allSatisfy { $0.since <= board.now })
  }

  @Test("an event that was sent late, because the database was away, keeps its time")
  func late() {
    var line = SampleLine()
    line.add("written", at: 0, lasting: 1000, told: 1050)
    for index in 1...20 {
      line.add("written", at: Int64(index) * 60_000, lasting: 1000, told: 3_600_000)
    }
    let board = line.board(at: 3_600_100)
    #expect(board.tagsPerHour == nil && board.periodSeconds == 60)
  }

  @Test("what a station shows in a later run counts, also after its clock was set back")
  func setBack() {
    var line = SampleLine()
    line.add("written", at: 7_200_000)
    let earlier = shown("pass", since: SampleLine.start + 7_200_000)
    let later = shown("lost", since: SampleLine.start + 5000, run: "2")
    let runs = [run("2", began: 4000), run("1", began: 7_000_000, ended: 7_300_000)]
    for shown in [[later], [earlier, later], [later, earlier]] {
      let station = line.board(runs: runs, shown: shown, at: 9000).stations[0]
      #expect(station.word == .lost && station.since == SampleLine.start + 5000)
    }
    // The next run has an event, and its station has shown nothing yet.
    line.run = "2"
    line.add("reserved", at: 6000)
    let station = line.board(runs: runs, shown: [earlier], at: 9000).stations[0]
    #expect(station.word == .writing)
  }
}
