import PN532
import PN532Simulator
import Pace
import TagMemory
import Testing

@testable import Readers

/// How soon tags are noticed, in modelled time: exchanges take what they take on a bench, sleeps
/// what they say.
@Suite("Waiting for tags to come and to go")
struct ReactionTests {
  /// A chip without a wire whose exchanges take their modelled time.
  private final class TimedLink: ChipLink {
    let name = "timed"
    let chip: Chip
    let time: TestTime
    /// What a person does, and when; it is seen by the next exchange.
    var hand: (at: Duration, act: (Field) -> Void)?
    private(set) var exchanges = 0

    init(_ tags: [any VirtualTag], speed: LinkSpeed, time: TestTime) {
      chip = Chip(field: Field([tags]))
      self.time = time
      chip.wakeUp()
      for command in [Command.samConfiguration(), .setSerialBaudRate(speed)] {
        _ = chip.process(command: command.bytes)
      }
      chip.hostAcknowledges()
    }

    var speed: LinkSpeed? { chip.speed }

    func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
      exchanges += 1
      if let hand, hand.at <= time.elapsed {
        hand.act(chip.field)
        self.hand = nil
      }
      guard case .answer(let bytes) = chip.process(command: command) else {
        throw .boardSilent(reader: name)
      }
      time.advance(chip.lastTime.total)
      return Array(bytes.dropFirst())
    }

    func close() {}
  }

  private static let speeds: [LinkSpeed] = [.baud115200, .baud921600]

  @Test("A tag is selected within 30 ms of being laid down, whenever that is", arguments: speeds)
  func coming(speed: LinkSpeed) throws {
    for delay in stride(from: 100, to: 160, by: 1) {
      let time = TestTime()
      let link = TimedLink([], speed: speed, time: time)
      let tag = try TagCatalog.tag("ntag213")
      link.hand = (.milliseconds(delay), { $0.place([tag]) })
      _ = try TagReader(link: link, clock: time.clock).waitForTag(timeout: .seconds(1)) { false }
      #expect(time.elapsed - .milliseconds(delay) <= .milliseconds(30), "laid down at \(delay) ms")
    }
  }

  @Test(
    "Looking for everything, type A is selected within 50 ms and any other tag within 150 ms",
    arguments: speeds)
  func comingOfAnyKind(speed: LinkSpeed) throws {
    for (product, limit) in [("ntag213", 50), ("felica-lite-s", 150)] {
      for delay in stride(from: 100, to: 220, by: 3) {
        let time = TestTime()
        let link = TimedLink([], speed: speed, time: time)
        let tag = try TagCatalog.tag(product)
        link.hand = (.milliseconds(delay), { $0.place([tag]) })
        let reader = TagReader(link: link, clock: time.clock)
        reader.technologies = Set(Technology.allCases)
        let found = try reader.waitForTag(timeout: .seconds(1)) { false }
        #expect(found.uid == UID(tag.uid))
        let late = time.elapsed - .milliseconds(delay)
        #expect(late <= .milliseconds(limit), "\(product), laid down at \(delay) ms")
      }
    }
  }

  @Test(
    "To look for FeliCa and type B beside a tag of type A keeps it waiting for 16 ms, with RATS 22",
    arguments: [("ntag213", 16), ("classic1k", 16), ("ntag424", 22)])
  func beside(product: String, limit: Int) throws {
    /// From the look to the first answer of the tag.
    func time(_ reel: Product?) throws -> Duration {
      let time = TestTime()
      let link = TimedLink([try TagCatalog.tag(product)], speed: .baud921600, time: time)
      let reader = TagReader(link: link, clock: time.clock)
      reader.look(for: reel)
      try reader.prepare()
      let start = time.elapsed
      let tag = try reader.select()
      if tag.speaksISODEP {
        _ = try reader.isPresent(tag)
      } else if product == "ntag213" {
        _ = try reader.readPages(from: 4)
      } else {
        try reader.authenticate(block: 0, key: .factory, type: .a)
      }
      return time.elapsed - start
    }
    let more = try time(nil) - time(.named(product))
    #expect(more <= .milliseconds(limit), "\(more)")
  }

  @Test("A tag's removal is noticed within 100 ms, whenever that is", arguments: speeds)
  func going(speed: LinkSpeed) throws {
    for product in ["ntag213", "classic1k"] {
      for delay in stride(from: 100, to: 160, by: 1) {
        let time = TestTime()
        let link = TimedLink([try TagCatalog.tag(product)], speed: speed, time: time)
        let reader = TagReader(link: link, clock: time.clock)
        let tag = try reader.select()
        link.hand = (.milliseconds(delay), { $0.remove() })
        #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(1)) { false })
        #expect(time.elapsed - .milliseconds(delay) <= .milliseconds(100), "removed at \(delay) ms")
      }
    }
  }

  @Test("Waiting leaves the host in peace: some fifty exchanges a second", arguments: speeds)
  func idle(speed: LinkSpeed) {
    let time = TestTime()
    let link = TimedLink([], speed: speed, time: time)
    #expect(throws: ReaderError.noTag) {
      try TagReader(link: link, clock: time.clock).waitForTag(timeout: .seconds(10)) { false }
    }
    #expect((400...700).contains(link.exchanges), "\(link.exchanges) in ten seconds")
  }
}
