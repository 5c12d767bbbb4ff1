import JobLists
import NDEF
import PN532Simulator
import Pace
import Readers
import Synchronization
import TagMemory
import TagProgramming
import Testing

@testable import LedgerSQLite
@testable import Provisioning

/// Lines that change tags from the field, and their journal.
final class ChangingBench {
  let journal: JournalBench
  let rules: ChangeRules

  init(
    from pattern: String = "https://old.example/t/{id}",
    to template: String = "https://new.example/{id}"
  ) throws {
    (journal, rules) = (try JournalBench(), try ChangeRules(from: pattern, to: template))
  }

  typealias Ending = (summary: LineSummary, outcomes: [TagOutcome])

  /// Runs a line as a process of its own would.
  @discardableResult
  func run(
    _ readers: [TestReader], back: Bool = false, _ change: (inout LineOptions) -> Void = { _ in }
  ) throws -> Ending {
    let session = try session(back: back)
    defer { try? session.end() }
    var options = LineOptions()
    // One look; or longer than a hand takes for the next tag.
    let isReel = readers.contains { $0.tags.count > 1 }
    (options.timeout, options.patience) = (isReel ? .milliseconds(300) : .zero, .zero)
    options.timeout = options.timeout * Pace.factor
    change(&options)
    let outcomes = Mutex<[TagOutcome]>([])
    let line = try StationLine(
      readers: readers, session: session, changing: TagChanges(back ? nil : rules),
      options: options,
      tell: { event in
        if case .finished(let outcome) = event.kind { outcomes.withLock { $0.append(outcome) } }
      })
    return (line.run(), outcomes.withLock { $0 })
  }

  func session(back: Bool) throws -> JournalSession {
    let journal = try journal.open()
    try journal.adopt(changes: back ? nil : rules.description)
    return try journal.begin()
  }

  /// A tag of the field, which holds a link and a record beside it.
  static func tag(
    _ product: String = "ntag213", _ number: Int = 0, link: String = "https://old.example/t/7F"
  ) throws -> any StoredTag {
    let tag = try TagCatalog.tag(product, index: number)
    let records = [try URIRecord(link).record, try TextRecord("A", language: "en").record]
    #expect(try run(.write(Message(records)), on: tag), "\(product)")
    return tag
  }

  static func run(_ job: Job, on tag: any StoredTag) -> Bool {
    defer { tag.powerOff() }
    var options = RunOptions()
    options.timeout = .zero
    return Programmer(reader: TestReader("other", [tag]).reader, options: options).run(job).failure
      == nil
  }

  /// The message on a tag, read by itself.
  static func message(on tag: any StoredTag) -> [UInt8]? {
    defer { tag.powerOff() }
    var options = RunOptions()
    options.timeout = .zero
    return Programmer(reader: TestReader("other", [tag]).reader, options: options).run(.read)
      .content.stored
  }

  /// The first link on it.
  static func link(on tag: any StoredTag) -> String? {
    message(on: tag).flatMap { JournalSession.link(in: $0) }
  }
}
