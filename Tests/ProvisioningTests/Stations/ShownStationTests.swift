import Foundation
import GRDB
import Ledger
import NDEF
import PN532Simulator
import Pace
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

@Suite("What stations show, as the journal keeps it")
struct ShownStationTests {
  private func rows(_ journal: Journal) throws -> [ShownStation] {
    try journal.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM station ORDER BY session, name")
        .map(ShownStation.init)
    }
  }

  /// Waits until the station `number` shows `word`; false: it does not come to that.
  private func shows(_ word: String, _ number: Int, _ journal: Journal) -> Bool {
    Pace.wait {
      guard let rows = try? rows(journal), rows.count > number else { return false }
      return rows[number].word == word
    }
  }

  @Test("has several tags on a reader while they lie there, and no event of them")
  func severalTags() throws {
    let bench = try LineBench(codes: 2)
    let journal = try bench.journal.open()
    let pair = TestReader("pair", together: [try LineBench.tag(0), try LineBench.tag(1)])
    _ = try bench.run([pair]) {
      $0.timeout = .milliseconds(300)
    } act: { _, event in
      guard case .severalTags = event.kind else { return }
      #expect(shows("several", 0, journal))
    }
    let row = try #require(try rows(journal).first)
    #expect(row.name == "1" && row.job == nil && row.uid == nil && row.bin == nil)
    #expect(try journal.events(after: 0, limit: 9).isEmpty)
  }

  @Test("has the last words of all stations when the line has ended, by their names")
  func last() throws {
    let bench = try LineBench(codes: 2)
    let readers = [
      TestReader("a", [try LineBench.tag(0)]), TestReader("b", [try LineBench.tag(1)]),
    ]
    _ = try bench.run(readers) {
      ($0.stationNames, $0.timeout) = (["left", "right"], .seconds(20))
    }
    let rows = try rows(bench.journal.open())
    #expect(rows.map(\.name) == ["left", "right"])
    #expect(rows.allSatisfy { $0.word == "ended" && $0.text == nil })
  }

  @Test("a verdict that stands has its tag, its job and where the tag goes")
  func verdict() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    let other = Programmer(reader: TestReader("other", [tag]).reader, options: RunOptions())
    let message = Message(try URIRecord("https://example.org/").record)
    #expect(other.run(.write(message, WriteOptions())).failure == nil)
    tag.powerOff()
    _ = try bench.run([TestReader("1", [tag])])
    let (before, uid) = (try rows(bench.journal.open()), tag.uid)
    #expect(before.map(\.word) == ["left"] && before[0].bin == "aside")
    #expect(before[0].uid == uid && before[0].text != nil)
  }

  @Test("a run that has ended makes room for the next one's stations")
  func runs() throws {
    let bench = try LineBench(codes: 3)
    for number in 0..<3 {
      _ = try bench.run([TestReader("1", [try LineBench.tag(number)])])
      #expect(try rows(bench.journal.open()).count == 1)
    }
  }

  @Test("what is shown next is later than the last tag's end, though the clock was set back")
  func clock() throws {
    let bench = try LineBench(codes: 1)
    let session = try bench.session()
    let shown = ShownStations(["1"], session)
    var outcome = TagOutcome(verdict: .failed, uid: UID([4, 1, 2, 3]))
    // As if the clock had shown a later time when the tag came.
    (outcome.started, outcome.duration) = (Date(timeIntervalSinceNow: 60), .milliseconds(500))
    shown.take(LineEvent(station: 0, kind: .finished(outcome)))
    shown.take(LineEvent(station: 0, kind: .lost("gone")))
    shown.finish()
    let row = try #require(try rows(session.journal).first)
    #expect(row.word == "lost" && row.since >= outcome.started.milliseconds + 500)
  }

  @Test("says what to do and what is in the way, in one line")
  func text() {
    var view = StationView(name: "1")
    func shown(_ kind: LineEvent.Kind) -> String? {
      view.take(kind)
      return ShownStation(view, since: 0, at: 0).text
    }
    #expect(shown(.lost("/dev/ttyUSB0 is gone.")) == "plug it in again; /dev/ttyUSB0 is gone.")
    #expect(shown(.back) == nil)
    #expect(shown(.severalTags([])) == "several tags are there; none was changed")
    #expect(shown(.found(UID([4, 1, 2, 3]), number: 1)) == "leave it there")
    #expect(shown(.scanWanted) == "of the item that the tag goes onto")
    #expect(shown(.scanned("99", .unknown)) == "scan the right item; no row has “99”")
  }
}
