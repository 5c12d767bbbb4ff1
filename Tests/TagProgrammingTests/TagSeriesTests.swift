import LibNFCReaders
import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// Runs over many tags, through libnfc, on a board that lays one presentation down after another.
@Suite("A series of tags")
struct TagSeriesTests {
  /// What a run told, in words.
  private final class Log { var lines: [String] = [] }

  private static let message = try! Message(URIRecord("https://example.com/t/1").record)

  private func tag(_ product: String, _ index: Int) throws -> any StoredTag {
    try TagCatalog.tag(product, index: index)
  }

  /// Lays `presentations` down in turn and runs over them; the job is the message for every tag.
  private func run(
    _ presentations: [[any StoredTag]], count: Int? = nil, reserved: [UID] = [],
    faults: FaultPlan = .none, timeout: Duration = .seconds(60),
    shouldStop: @escaping () -> Bool = { false }
  ) throws -> (TagSeries, TagSeries.Ending, [String]) {
    let board = SimulatedBoard(
      field: Field(presentations, hand: .automatic(patience: 3)), faults: faults)
    let reader = TagReader(link: try LibNFCLink(opening: ConnectionString(board.start())))
    defer { reader.close() }
    var options = RunOptions()
    options.timeout = timeout
    let series = TagSeries(
      reader: reader, options: options, tally: SeriesTally(reserved: reserved),
      shouldStop: shouldStop)
    let log = Log()
    let ending = series.run(
      count: count, job: { _ in .write(Self.message, WriteOptions()) },
      tell: { log.lines += Self.words($0) })
    return (series, ending, log.lines)
  }

  private static func words(_ event: TagSeries.Event) -> [String] {
    switch event {
    case .ready: return []
    case .severalTags(let uids): return ["severalTags of \(uids.count)"]
    case .passedOver(_, let reason): return ["\(reason)"]
    case .finished(let report):
      let result = report.failure.map { "\($0.kind)" } ?? report.result.rawValue
      return ["\(report.product?.name ?? "?") \(result)"]
    }
  }

  private func holdsMessage(_ tag: any StoredTag) -> Bool {
    let content =
      tag.product.hasPrefix("classic")
      ? TagImage.content(ofClassic: tag.eeprom.bytes) : TagImage.content(ofType2: tag.eeprom.bytes)
    return content == .message(Self.message.serialize())
  }

  @Test("different tags are written one after another, and no look is wasted on a tag that is done")
  func differentTags() throws {
    let tags = try [tag("ntag213", 0), tag("ultralight-ev1-21", 1), tag("classic1k", 2)]
    let (series, ending, lines) = try run(tags.map { [$0] }, count: 3)
    #expect(ending == .complete)
    #expect(lines == ["ntag213 written", "ultralight-ev1-21 written", "classic1k written"])
    #expect(series.tally.written == 3 && series.elapsed > .zero)
    #expect(tags.allSatisfy(holdsMessage))
  }

  @Test("a reserved tag is skipped, untouched, and so is one that is done")
  func reservedAndDone() throws {
    let (source, target) = try (tag("ntag213", 0), tag("ntag213", 1))
    let before = source.eeprom.bytes
    let (series, ending, lines) = try run(
      [[source], [target], [source], [target]], reserved: [UID(source.uid)], timeout: .seconds(3))
    #expect(ending == .idle)
    #expect(lines == ["reserved", "ntag213 written", "reserved", "done"])
    #expect(series.tally.good == 1)
    #expect(source.eeprom.bytes == before)
  }

  @Test("a tag that holds the message already counts as good and is not written")
  func alreadyThere() throws {
    let tag = try tag("ntag213", 0)
    _ = try run([[tag]], count: 1)
    let (series, ending, lines) = try run([[tag]], count: 1)
    #expect(ending == .complete && lines == ["ntag213 unchanged"])
    #expect(series.tally.unchanged == 1 && series.tally.written == 0)
  }

  @Test("two tags at once are named and not touched; the run goes on when one lies there alone")
  func severalTags() throws {
    let (one, two) = try (tag("ntag213", 0), tag("ntag215", 1))
    let before = two.eeprom.bytes
    let (series, ending, lines) = try run([[one, two], [one]], count: 1)
    #expect(ending == .complete && lines == ["severalTags of 2", "ntag213 written"])
    #expect(series.tally.severalTagsCount == 1)
    #expect(two.eeprom.bytes == before)
  }

  @Test("a tag that cannot take the message fails, and the next one is written")
  func refusals() throws {
    let locked = try tag("ntag213", 0)
    locked.eeprom.load(
      Array(locked.eeprom.bytes[..<10]) + [0xFF, 0xFF] + locked.eeprom.bytes[12...])
    let (series, ending, lines) = try run([[locked], [tag("ntag213", 1)]], count: 1)
    #expect(ending == .complete && lines == ["ntag213 refused", "ntag213 written"])
    #expect(series.tally.failed == [.refused: 1])
  }

  @Test("a card that is no tag for this is told of once, however long it lies there")
  func otherCard() throws {
    // Without a capability container.
    let card = try tag("type4", 0)
    card.eeprom.load([UInt8](repeating: 0, count: card.eeprom.bytes.count))
    let (series, ending, lines) = try run([[card]], timeout: .seconds(3))
    #expect(ending == .idle && lines == ["type4 refused"])
    #expect(series.tally.failed == [.refused: 1])
  }

  @Test("a tag that is pulled away fails at once, and is finished when it comes again")
  func pulledAway() throws {
    let trial = try TagSeriesTests.exchanges(of: tag("ntag213", 0))
    for place in 3..<trial {
      let (torn, other) = try (tag("ntag213", 0), tag("ntag213", 1))
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .removed(afterObeying: place.isMultiple(of: 2)))]
      let (series, ending, lines) = try run([[torn], [other], [torn]], count: 2, faults: faults)
      #expect(ending == .complete, "exchange \(place)")
      #expect(lines.first == "ntag213 tagTrouble" || lines.first == "? tagTrouble", "\(lines)")
      #expect(lines.count == 3 && series.tally.failed.isEmpty, "exchange \(place): \(lines)")
      #expect(holdsMessage(torn) && holdsMessage(other), "exchange \(place)")
    }
  }

  /// How many exchanges writing the message to `tag` takes.
  private static func exchanges(of tag: any StoredTag) throws -> Int {
    let bench = Bench(tag)
    let report = bench.run(.write(message, WriteOptions()))
    try #require(report.result == .written)
    return bench.chip.places.exchanges
  }

  @Test(
    "an interruption between tags ends the run; within one the tag is left for the same run to finish"
  )
  func interruption() throws {
    let (_, early, _) = try run([[tag("ntag213", 0)]], shouldStop: { true })
    #expect(early == .interrupted(onTag: false))
    var asked = 0
    let (series, ending, lines) = try run([[tag("ntag213", 0)]]) {
      asked += 1
      return asked > 4
    }
    #expect(ending == .interrupted(onTag: true) && lines == ["ntag213 interrupted"])
    #expect(series.tally.good == 0)
  }

  @Test("a board that is unplugged ends the run with the reader's failure")
  func unplugged() throws {
    var faults = FaultPlan()
    faults.commands = [(.at(60), .unplugged)]
    let reel = try (0..<20).map { try [tag("ntag213", $0)] }
    let (_, ending, _) = try run(reel, faults: faults)
    guard case .failed(let failure) = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(failure.kind == .readerUnavailable)
  }
}
