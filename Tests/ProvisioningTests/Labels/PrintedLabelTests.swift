import Synchronization
import Testing

@testable import LedgerSQLite
@testable import Provisioning
@testable import SeriesReports

@Suite("Labels that a printer prints, in the journal")
struct PrintedLabelTests {
  let bench: JournalBench
  let session: JournalSession

  init() throws {
    bench = try JournalBench()
    let first = try bench.session(jobs: 5)
    try first.end()
    session = try first.journal.begin(
      operator: "Ada", command: "nfcprog", version: "1", printingLabels: true)
  }

  private func write(_ number: Int) throws -> WrittenTag {
    try session.finish(session.take(JournalBench.tag(number)))
  }

  private var due: [Int] {
    get throws { try session.journal.labelsDue(for: session).map(\.job.number) }
  }

  @Test("are due with the tag, and remembered as sent and as printed")
  func states() throws {
    let tags = try [write(1), write(2), write(3)]
    #expect(try due == [1, 2, 3])
    try session.journal.note(.sent, labelOf: tags[0])
    try session.journal.note(.sent, labelOf: tags[1])
    try session.journal.note(.printed, labelOf: tags[1])
    let open = try session.journal.openPrints(for: session)
    #expect((open.due, open.unsure, open.printed) == ([3], [1], 1))
    #expect(
      try session.journal.report().labelLines.first
        == "Labels: 1 printed, 1 may not have been printed, 1 not printed")
  }

  @Test("are printed again when asked for, those of finished tags only")
  func again() throws {
    let tags = try [write(1), write(2)]
    for tag in tags { try session.journal.note(.sent, labelOf: tag) }
    try session.journal.note(.printed, labelOf: tags[1])
    #expect(try session.journal.printAgain(.unsure, for: session).tags.count == 1)
    #expect(try due == [1])
    let reprints = try session.journal.printAgain(.jobs([2...9]), for: session)
    #expect(
      reprints.tags.map(\.job.number) == [2] && reprints.unfinished == [3, 4, 5]
        && reprints.lastJob == 5)
    #expect(try due == [1, 2])
    #expect(try session.journal.printAgain(.jobs([1...2]), for: session).unfinished.isEmpty)
  }

  @Test("are taken to be printed once, and only while their tags are finished")
  func claims() throws {
    let tags = try [write(1), write(2)]
    #expect(try session.journal.isLabelDue(tags[0]) && !session.journal.hasLabel(tags[0]))
    #expect(try session.journal.claimLabel(of: tags[0]))
    #expect(try !session.journal.claimLabel(of: tags[0]))
    #expect(try !session.journal.isLabelDue(tags[0]) && session.journal.hasLabel(tags[0]))
    let fault = InspectionFault(TagTrouble(.inspection, "Other data."), message: [1])
    _ = try session.inspected(
      tags[1], on: JournalBench.tag(2), fault, timing: JournalBench.timing)
    #expect(try !session.journal.claimLabel(of: tags[1]))
  }

  @Test("of a run at work are its own: another one may print them again, and finds none unsure")
  func beside() throws {
    let tags = try [write(1), write(2)]
    #expect(try session.journal.claimLabel(of: tags[0]))
    let other = try session.journal.begin(
      operator: "Bob", command: "nfcprog", version: "1", printingLabels: true)
    #expect(try other.journal.openPrints(for: other).unsure.isEmpty)
    #expect(try session.journal.openPrints(for: session).unsure == [1])
    #expect(try other.journal.printAgain(.unsure, for: other).tags.isEmpty)
    let again = try other.journal.printAgain(.jobs([1...1]), for: other).tags
    #expect(again == [tags[0]])
    #expect(try session.journal.labelsDue(of: [2]).map(\.job.number) == [2])
  }

  @Test("are not asked for by a run without a printer, and stay with their run as long as it works")
  func otherRuns() throws {
    let plain = try session.journal.begin(operator: "Bob", command: "nfcprog", version: "1")
    _ = try plain.finish(plain.take(JournalBench.tag(4)))
    #expect(try due == [])
    let number = try write(5).job.number
    #expect(try plain.journal.labelsDue(for: plain).isEmpty)
    try session.end()
    #expect(try plain.journal.labelsDue(for: plain).map(\.job.number) == [number])
  }
}

/// A printer that answers as the test wants, and prints at once.
private final class TestPrinter: LabelPrinting {
  let obstacles: Mutex<[PrinterObstacle?]>
  let printed = Mutex<[Int]>([])

  /// What it answers, one after another; then it is ready.
  init(_ obstacles: [PrinterObstacle?] = []) { self.obstacles = Mutex(obstacles) }

  func obstacle(at station: Int) -> PrinterObstacle? {
    obstacles.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func print(_ written: WrittenTag, at station: Int) {
    printed.withLock { $0.append(written.job.number) }
  }

  /// Why the labels of the run are not printed, one after another; then they are.
  let last = Mutex<[PrinterObstacle]>([])

  func unfinished() -> PrinterObstacle? {
    last.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

@Suite("A line with a label printer")
struct PrintingLineTests {
  @Test("says why no tag is begun, once, and begins when the printer is ready")
  func waits() throws {
    let bench = try LineBench(codes: 2)
    let tags = [try LineBench.tag(0), try LineBench.tag(1)]
    let obstacles: [PrinterObstacle?] = [.paperOut, .paperOut, .headOpen, .busy, nil]
    let printer = TestPrinter(obstacles)
    let told = Mutex<[String]>([])
    let (summary, _) = try bench.run([TestReader("1", tags)], printer: printer) {
      $0.timeout = .seconds(20)
    } act: { _, event in
      switch event.kind {
      case .printerWanted(let obstacle): told.withLock { $0.append(obstacle.cause) }
      case .printerReady: told.withLock { $0.append("ready") }
      case .found: told.withLock { $0.append("tag") }
      default: break
      }
    }
    #expect(summary.passed == 2)
    #expect(told.withLock { $0 } == ["paper-out", "head-open", "ready", "tag", "tag"])
    #expect(printer.printed.withLock { $0 } == [1, 2])
  }

  @Test("does not end before its last labels are printed, and says what is in the way")
  func lastLabels() throws {
    let bench = try LineBench(codes: 1)
    let printer = TestPrinter()
    printer.last.withLock { $0 = [.busy, .paperOut, .paperOut, .busy] }
    let told = Mutex<[String]>([])
    let (summary, _) = try bench.run([TestReader("1", [LineBench.tag(0)])], printer: printer) {
      $0.timeout = .seconds(20)
    } act: { _, event in
      switch event.kind {
      case .printerWanted(let obstacle): told.withLock { $0.append(obstacle.cause) }
      case .printerReady, .ended: told.withLock { $0.append("\(event.kind)") }
      default: break
      }
    }
    #expect(summary.passed == 1 && printer.last.withLock { $0.isEmpty })
    #expect(told.withLock { $0 } == ["paper-out", "printerReady", "ended"])
  }

  @Test("leaves a tag alone that comes while the printer is not ready")
  func untouched() throws {
    let bench = try LineBench(codes: 1)
    let tag = try LineBench.tag(0)
    let before = tag.eeprom.bytes
    let printer = TestPrinter(Array(repeating: .paused, count: 1000))
    let (summary, outcomes) = try bench.run([TestReader("1", [tag])], printer: printer)
    #expect(summary.passed == 0 && outcomes.isEmpty)
    #expect(tag.eeprom.bytes == before)
    guard case .idle = summary.ending else {
      Issue.record("\(summary.ending)")
      return
    }
  }
}
