import NDEF
import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// A reel of tags with a fault at each place: whatever befalls one of them, the count is true, and
/// the same run over the same tags again leaves the message on all of them.
@Suite("A series of tags with a fault in it")
struct SeriesFaultTests {
  private static let products = ["ntag213", "mini", "ultralight"]
  private static let message = Message(try! URIRecord("https://example.com/t/0001").record)

  private func tags() throws -> [any StoredTag] {
    try Self.products.enumerated().map { try TagCatalog.tag($1, index: $0) }
  }

  private func holdsMessage(_ tag: any VirtualTag) -> Bool {
    let content =
      tag.product == "mini"
      ? TagImage.content(ofClassic: tag.eeprom.bytes) : TagImage.content(ofType2: tag.eeprom.bytes)
    return content == .message(Self.message.serialize())
  }

  /// Lays `tags` down in turn; returns how the run ended, its tally, and the places there were.
  private func run(
    over tags: [any VirtualTag], _ faults: FaultPlan = .none, host: DirectLink.Fault? = nil
  ) -> (TagSeries.Ending, SeriesTally, FaultPlaces, frames: Int) {
    let chip = Chip(
      field: Field(tags.map { [$0] }, hand: .automatic(patience: 3)), faults: faults)
    let link = DirectLink(chip)
    let reader = TagReader(link: link, clock: TestTime().clock)
    link.strike(host)
    var options = RunOptions()
    options.timeout = .milliseconds(400)
    options.patience = .zero
    let series = TagSeries(reader: reader, options: options)
    let ending = series.run(
      count: tags.count, job: { _ in .write(Self.message, WriteOptions()) }, tell: { _ in })
    return (ending, series.tally, chip.places, reader.counts.frames)
  }

  @Test(
    "counts what it has written, and is finished by another run",
    arguments: FaultKind.all.indices.filter { FaultKind.all[$0].name != "torn write" })
  func faults(_ index: Int) throws {
    let kind = FaultKind.all[index]
    let undisturbed = try tags()
    let (ending, _, places, frames) = run(over: undisturbed)
    #expect(ending == .complete)
    let wanted = undisturbed.map { $0.eeprom.bytes }
    let count =
      switch kind.place {
      case .exchange: places.exchanges
      case .programming: places.eepromWrites
      case .command: frames
      }
    var tally = FaultTally()
    let step = Exhaustive.isAsked ? 1 : max(1, count / 5)
    for place in stride(from: index % step, to: count, by: step) {
      let tags = try tags()
      let stranger = try TagCatalog.tag("ntag213", index: 77)
      var plan = FaultPlan()
      kind.arm(place, &plan, stranger)
      let host = kind.host.map { DirectLink.Fault(place: place, kind: $0) }
      let (ending, counted, _, _) = run(over: tags, plan, host: host)
      let what = "\(kind.name) at \(place)"
      let held = (tags + [stranger]).count { holdsMessage($0) }
      tally.places += 1
      #expect(counted.good <= held, "\(what): \(counted.good) counted, \(held) hold the message")
      if ending == .complete { #expect(counted.good == tags.count, "\(what)") }
      if counted.good == tags.count { tally.recovered += 1 } else { tally.failed += 1 }
      let isDestroyed = TagImage.hasDestroyedSector(tags[1].eeprom.bytes)
      if isDestroyed {
        tally.left[.sector, default: 0] += 1
        continue
      }
      let (_, again, _, _) = run(over: tags)
      #expect(again.good == tags.count, "again after \(what)")
      let isSame = tags.map(\.eeprom.bytes) == wanted
      #expect(isSame, "again after \(what)")
      if isSame, counted.good != tags.count { tally.finished += 1 }
    }
    tally.print(kind.name, "a series of three tags")
  }

  @Test(
    "finds the first tag although a frame of the first look is lost or damaged",
    arguments: [DirectLink.Fault.Kind.commandLost, .answerLost, .answerDamaged])
  func firstLook(kind: DirectLink.Fault.Kind) throws {
    // Four frames set the chip up, the fifth is the look.
    for place in 0..<5 {
      let tags = try tags()
      let (ending, counted, _, _) = run(
        over: tags, host: DirectLink.Fault(place: place, kind: kind))
      #expect(ending == .complete && counted.good == tags.count, "at \(place)")
    }
  }
}
