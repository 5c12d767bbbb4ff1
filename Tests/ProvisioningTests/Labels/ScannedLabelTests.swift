import JobLists
import PN532Simulator
import Synchronization
import TagMemory
import Testing

@testable import LedgerSQLite
@testable import Provisioning

/// A printer that keeps its labels.
private final class KeptLabels: LabelPrinting, Sendable {
  let labels = Mutex<[WrittenTag]>([])
  let obstacle = Mutex<PrinterObstacle?>(nil)

  func obstacle(at station: Int) -> PrinterObstacle? { obstacle.withLock { $0 } }
  func print(_ written: WrittenTag, at station: Int) { labels.withLock { $0.append(written) } }
  func unfinished() -> PrinterObstacle? { nil }
  var count: Int { labels.withLock(\.count) }
}

@Suite("A job is done when its printed label was scanned")
struct ScannedLabelTests {
  private let bench: LineBench
  private let printer = KeptLabels()

  init() throws { bench = try LineBench(codes: 1) }

  private typealias Ending = (summary: LineSummary, outcomes: [TagOutcome])

  /// Runs a line on a tag, whose label shows `code`.
  private func run(
    _ tag: any StoredTag, showing code: @escaping @Sendable (WrittenTag?) -> String?
  ) throws -> Ending {
    try bench.run([TestReader("1", [tag])], printer: printer, scansLabels: true) {
      $0.timeout = .milliseconds(1)
    } act: { [printer] line, event in
      guard case .labelScanWanted = event.kind else { return }
      if let code = code(printer.labels.withLock(\.last)) {
        line.scan(code, station: event.station)
      }
    }
  }

  private var state: String {
    get throws { try bench.journal.open(.readOnly).standing(ofJob: 1)?.word ?? "" }
  }

  @Test("by its link, its UID or its name")
  func good() throws {
    for code in [\WrittenTag.uri, \.uid.shown, \.uid.digits, \.job.named] {
      let bench = try ScannedLabelTests()
      let ending = try bench.run(try LineBench.tag(1)) { $0?[keyPath: code] }
      #expect(ending.outcomes.map(\.verdict) == [.passed], "\(ending.outcomes)")
      #expect(try bench.state == "written")
      #expect(bench.printer.count == 1)
      #expect(try bench.bench.journal.open().verify(facts: true) == [])
    }
  }

  @Test("another's label sets the tag aside; it gets a new one when it comes again")
  func wrong() throws {
    let tag = try LineBench.tag(1)
    let ending = try run(tag) { _ in "https://example.com/t/9999" }
    let outcome = try #require(ending.outcomes.first)
    #expect((outcome.verdict, outcome.trouble?.known, outcome.bin) == (.held, .label, .aside))
    #expect(outcome.trouble?.text.hasPrefix("LABEL DOES NOT MATCH") == true)
    #expect(StationWord(outcome.verdict, cause: .label).text == "LABEL DOES NOT MATCH")
    #expect((ending.summary.passed, ending.summary.held) == (0, 1))
    #expect(try state == "reserved")
    let journal = try bench.journal.open(.readOnly)
    #expect(try journal.reservations().first?.trouble?.known == .label)
    // No other tag gets the job.
    let other = try run(try LineBench.tag(2)) { $0?.uri }
    #expect(other.outcomes.map(\.trouble?.known) == [.noJob])
    let again = try run(tag) { $0?.uri }
    #expect(again.outcomes.map(\.verdict) == [.passed], "\(again.outcomes)")
    #expect(try state == "written")
    #expect(printer.count == 2)
    #expect(try bench.journal.open().verify(facts: true) == [])
  }

  @Test("a label that nobody scans is waited for no longer than for a tag")
  func unscanned() throws {
    let ending = try run(try LineBench.tag(1)) { _ in nil }
    #expect(ending.outcomes.map(\.trouble?.known) == [.label])
    #expect(try state == "reserved")
  }

  @Test("a run that died before the scan leaves a tag that has to come again")
  func died() throws {
    let session = try bench.session(printingLabels: true, scanningLabels: true)
    let tag = PresentedTag(
      uid: UID(try LineBench.tag(1).uid), tagType: "ntag213", station: "1", reader: "1")
    guard case .reserved(let reservation) = try session.reserve(for: tag, make: makeText) else {
      Issue.record("nothing was reserved")
      return
    }
    _ = try session.finish(reservation)
    #expect(try state == "written")
    try session.end()
    #expect(try bench.session().takeBackUnscanned().map(\.job.number) == [1])
    #expect(try state == "reserved")
    #expect(try bench.session().takeBackUnscanned().isEmpty)
  }

  @Test("a run that scans no labels leaves such a tag alone, whatever became of it since")
  func unscannable() throws {
    let tag = try LineBench.tag(1)
    _ = try run(tag) { _ in "https://example.com/t/9999" }
    for isBegunAgain in [false, true] {
      if isBegunAgain {
        // A run that would have scanned it ends before it is finished.
        let session = try bench.session(printingLabels: true, scanningLabels: true)
        let presented = PresentedTag(
          uid: UID(tag.uid), tagType: "ntag213", station: "1", reader: "1")
        let message = try #require(MemoryImage(tag.eeprom.bytes)?.message)
        _ = try #require(try session.takeUp(presented, holding: message))
        try session.end()
      }
      for rewrites in [false, true] {
        let ending = try bench.run([TestReader("1", [tag])], printer: printer) {
          $0.rewrite = rewrites
        }
        #expect(ending.outcomes.map(\.trouble?.known) == [.label], "\(ending.outcomes)")
        #expect(ending.outcomes.map(\.bin) == [.aside])
        #expect(try state == "reserved")
      }
      let session = try bench.session()
      #expect(try session.unscannable().map(\.uid) == [UID(tag.uid)])
      try session.end()
    }
    #expect(try run(tag) { $0?.uri }.outcomes.map(\.verdict) == [.passed])
    let later = try bench.run([TestReader("1", [tag])])
    #expect(later.outcomes.allSatisfy { $0.trouble?.known == .written })
    #expect(try state == "written" && bench.session().unscannable().isEmpty)
    #expect(try bench.journal.open().verify(facts: true) == [])
  }

  @Test("a scan when no label waits is for no tag")
  func stray() throws {
    let scans = LabelScans()
    #expect(!scans.take("a", for: 0))
    scans.begin(0)
    #expect(scans.take("a", for: 0) && scans.take("b", for: 0) && !scans.take("c", for: 1))
    #expect(scans.code(for: 0) == "a")
    scans.end(0)
    #expect(scans.code(for: 0) == nil)
  }
}

extension UID {
  fileprivate var shown: String? { description }
  fileprivate var digits: String? { hex }
}

extension PlannedJob {
  fileprivate var named: String? { name }
}
