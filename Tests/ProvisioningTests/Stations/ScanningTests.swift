import Foundation
import PN532Simulator
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("Codes that are scanned for a station")
struct ScanningTests {
  private static let table = "code,serial\nA,1\nB,2\nC,3\n"

  private func picks() throws -> (LineBench, JobPicks) {
    let bench = try LineBench(Self.table)
    return (bench, JobPicks(column: "serial", of: try bench.session().journal))
  }

  @Test("the second of two before a tag counts, and the first is said to be dropped")
  func dropped() throws {
    let (_, picks) = try picks()
    #expect(try picks.take("1", for: 0).dropped == nil)
    // The same thing once more is no other.
    #expect(try picks.take("1", for: 0).dropped == nil)
    #expect(try picks.take("2", for: 0).dropped?.name == "A")
    #expect(try picks.take("9", for: 0).dropped?.name == "B")
    #expect(picks.begin(0) == nil)
  }

  @Test("one that comes while a tag gets the job of the one before is for the next tag")
  func meanwhile() throws {
    let (_, picks) = try picks()
    _ = try picks.take("1", for: 0)
    #expect(picks.begin(0) == 1)
    let second = try picks.take("2", for: 0)
    #expect(second.answer.job?.name == "B" && second.dropped == nil)
    // Neither may be taken at another station.
    for code in ["1", "2"] {
      guard case .repeated = try picks.take(code, for: 1).answer else {
        Issue.record("\(code) was taken twice")
        continue
      }
    }
    picks.finish(0)
    #expect(picks.begin(0) == 2)
  }

  @Test("a tag that does not get the job leaves it to the next one, or says that it is dropped")
  func givenBack() throws {
    let (_, picks) = try picks()
    _ = try picks.take("1", for: 0)
    #expect(picks.begin(0) == 1 && picks.giveBack(0) == nil && picks.begin(0) == 1)
    _ = try picks.take("2", for: 0)
    #expect(picks.giveBack(0)?.name == "A" && picks.begin(0) == 2)
  }

  @Test("a tag that it does not fit keeps the code that came behind it")
  func kept() throws {
    let bench = try LineBench("code,serial,tag\nA,1,ntag216\nB,2,ntag213\n")
    let tags = [try LineBench.tag(0), try LineBench.tag(1)]
    let scans = Mutex(["1", "2"])
    let (summary, outcomes) = try bench.run([TestReader("1", tags)], scanning: "serial") {
      ($0.timeout, $0.count) = (.seconds(20), 1)
    } act: { line, event in
      guard case .scanWanted = event.kind else { return }
      // Both at once, before the tag has its job.
      if let code = scans.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        line.scan(code, station: 0)
      }
    }
    #expect(summary.passed == 1)
    #expect(outcomes.map(\.verdict) == [.left, .passed] && outcomes.last?.job?.name == "B")
  }

  @Test("what a station shows of a tag is not changed by the code for the next one")
  func shown() throws {
    let (_, picks) = try picks()
    let answer = try picks.take("2", for: 0).answer
    var view = StationView(name: "1")
    view.take(.found(UID([4, 1, 2, 3]), number: 1))
    var outcome = TagOutcome(verdict: .passed, uid: UID([4, 1, 2, 3]))
    outcome.job = TagOutcome.Job(JournalBench.job(1))
    view.take(.finished(outcome))
    view.take(.scanned("2", answer))
    #expect(view.word == .pass && view.job?.number == 1 && view.reason.contains("next tag"))
  }

  @Test("a station without its scanner says so, until the scanner is back")
  func away() {
    var view = StationView(name: "1")
    view.take(.ready)
    view.take(.scannerLost("it is away"))
    #expect(view.word.text == "SCANNER AWAY" && view.reason == "it is away")
    // A tag's own words go first, and it is said again behind them.
    view.take(.found(UID([4, 1, 2, 3]), number: 1))
    #expect(view.word == .looking)
    view.take(.scanWanted)
    #expect(view.word == .scannerLost)
    view.take(.scannerBack)
    #expect(view.word == .place)
    view.take(.ready)
    #expect(view.word == .place)
  }
}
