import Foundation
import JobLists
import NDEF
import PN532
import PN532Simulator
import Pace
import Readers
import Synchronization
import TagMemory
import TagProgramming

@testable import LedgerSQLite
@testable import Provisioning

/// A simulated chip without a wire.
final class DirectLink: ChipLink {
  let name = "direct"
  /// The answer that never arrives, counted from 0.
  var lostAnswer: Int?
  /// The command at which the program makes a mistake that ends its thread, counted from 0.
  var mistake: (place: Int, kind: Mistake)?
  /// All commands to the chip.
  private(set) var sent: [[UInt8]] = []
  private let chip: Chip
  private var count: Int { sent.count }

  init(_ chip: Chip) {
    self.chip = chip
    chip.wakeUp()
    _ = chip.process(command: [0x14, 0x01])
    _ = chip.process(command: [0x32, 0x01, 0x00])
  }

  var speed: LinkSpeed? { chip.speed }

  func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
    let outcome = chip.process(command: command)
    sent.append(command)
    if lostAnswer == count - 1 { throw .boardSilent(reader: name) }
    if let mistake, mistake.place == count - 1 { mistake.kind.make() }
    switch outcome {
    case .answer(let bytes): return Array(bytes.dropFirst())
    case .syntaxError: throw .boardRefused(reader: name)
    case .pending, .deaf, .hung: throw .boardSilent(reader: name)
    }
  }

  func close() {}
}

/// A reader of a line on which a reel of tags is laid down, one after the other.
final class TestReader: StationReader, @unchecked Sendable {
  // Sendable by hand: a station uses it during a run, the test before and after.
  let name: String
  let reader: TagReader
  let link: DirectLink
  let tags: [any VirtualTag]

  /// Tags one after the other.
  convenience init(
    _ name: String, _ tags: [any VirtualTag], faults: FaultPlan = .none, lostAnswer: Int? = nil,
    mistake: (place: Int, kind: Mistake)? = nil
  ) {
    self.init(
      name, turns: tags.map { [$0] }, faults: faults, lostAnswer: lostAnswer, mistake: mistake)
  }

  /// Tags that lie there together.
  convenience init(_ name: String, together tags: [any VirtualTag]) {
    self.init(name, turns: [tags], faults: .none)
  }

  /// Tags as a hand lays them down.
  init(_ name: String, _ hand: Hand) {
    (self.name, tags) = (name, [])
    let start = ContinuousClock.now
    let clock = HostClock(
      now: { start.duration(to: .now) },
      sleep: { _ in
        hand.pause()
        usleep(200)
      })
    link = DirectLink(Chip(field: hand.field, faults: .none))
    reader = TagReader(link: link, clock: clock)
  }

  private init(
    _ name: String, turns: [[any VirtualTag]], faults: FaultPlan, lostAnswer: Int? = nil,
    mistake: (place: Int, kind: Mistake)? = nil
  ) {
    (self.name, tags) = (name, turns.flatMap(\.self))
    let field = Field(turns, hand: .automatic(patience: 3))
    let start = ContinuousClock.now
    // Waiting is cut short; time goes on.
    let clock = HostClock(
      now: { start.duration(to: .now) }, sleep: { _ in usleep(200) })
    let link = DirectLink(Chip(field: field, faults: faults))
    self.link = link
    (link.lostAnswer, link.mistake) = (lostAnswer, mistake)
    reader = TagReader(link: link, clock: clock)
  }

  /// How often the station took it for lost.
  private(set) var reopenings = 0

  func reopen(shouldStop: () -> Bool) throws(ReaderError) {
    reopenings += 1
    guard !shouldStop() else { throw .interrupted }
  }
}

/// A list of codes, its journal, and lines that work on it.
final class LineBench {
  let journal: JournalBench
  let source: JobSource
  /// What all tags get besides their jobs.
  var given: Set<SourceDescription.Gift> = []
  /// Of which the journal is a bench's.
  var pool: (any JobPool)?

  init(_ journal: JournalBench, _ source: JobSource) {
    (self.journal, self.source) = (journal, source)
  }

  init(codes count: Int, template: String = "https://example.com/t/{code}", locks: Bool = false)
    throws
  {
    journal = try JournalBench()
    let range = try CodeRange(parsing: "0001..\(String(count + 10_000).suffix(4))")
    var settings = settings([("uri", template)])
    settings.locks = locks
    source = try JobSource(.range(range), settings)
  }

  /// A table.
  init(_ table: String, template: String = "https://example.com/t/{code}") throws {
    journal = try JournalBench()
    let file = journal.folder.appending(path: "jobs.csv")
    try Data(table.utf8).write(to: file)
    source = try JobSource(.table(file.path), settings([("uri", template)]))
  }

  static func tag(_ number: Int, _ product: String = "ntag213") throws -> any StoredTag {
    try TagCatalog.tag(product, index: number)
  }

  /// A session on the journal, which has the list.
  func session(
    printingLabels: Bool = false, scanningLabels: Bool = false
  ) throws -> JournalSession {
    let journal = try journal.open()
    if let pool { journal.join(pool) }
    let description = SourceDescription(kind: "range", name: "1").giving(given)
    _ = try journal.adopt(description) { take throws(JournalError) in
      try source.forEachJob { row throws(JournalError) in
        if case .success(let job) = row { try take(job) }
      }
    }
    return try journal.begin(
      operator: "Ada", command: "nfcprog", version: "1", printingLabels: printingLabels,
      scanningLabels: scanningLabels)
  }

  /// Runs a line as a process of its own would, and returns what it told.
  func run(
    _ readers: [TestReader], inspector: TestReader? = nil, scanning column: String? = nil,
    printer: (any LabelPrinting)? = nil, scansLabels: Bool = false,
    _ change: (inout LineOptions) -> Void = { _ in },
    until isOver: @escaping @Sendable (LineEvent) -> Bool = { _ in false },
    act: @escaping @Sendable (StationLine, LineEvent) -> Void = { _, _ in }
  ) throws -> (summary: LineSummary, outcomes: [TagOutcome]) {
    let session = try session(printingLabels: printer != nil, scanningLabels: scansLabels)
    _ = try session.takeBackUnscanned()
    defer { try? session.end() }
    var options = LineOptions()
    // One look: the first tag of a reel lies there from the start.
    options.timeout = .zero
    options.patience = .zero
    change(&options)
    options.timeout = options.timeout * Pace.factor
    let outcomes = Mutex<[TagOutcome]>([])
    let stop = Atomic(false)
    let itself = Mutex<StationLine?>(nil)
    let line = try StationLine(
      readers: readers, session: session, source: source, options: options,
      inspector: inspector, printer: printer,
      picks: column.map { JobPicks(column: $0, of: session.journal) }, scansLabels: scansLabels,
      tell: { event in
        if let line = itself.withLock({ $0 }) { act(line, event) }
        if case .finished(let outcome) = event.kind { outcomes.withLock { $0.append(outcome) } }
        if isOver(event) { stop.store(true, ordering: .relaxed) }
      }, shouldStop: { stop.load(ordering: .relaxed) })
    itself.withLock { $0 = line }
    defer { itself.withLock { $0 = nil } }
    let summary = line.run()
    return (summary, outcomes.withLock { $0 })
  }

  /// What a tag holds, read by itself.
  static func link(on tag: any VirtualTag) -> String? {
    let image = MemoryImage(tag.eeprom.bytes)
    guard let message = image?.message, let parsed = try? Message(parsing: message),
      case .uri(let record)? = parsed.records.first?.content
    else { return nil }
    return record.uri
  }
}
