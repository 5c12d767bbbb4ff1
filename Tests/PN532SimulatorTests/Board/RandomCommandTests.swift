import Bytes
import PN532
import PN532Simulator
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Random commands at a whole board: whatever a host sends, it is answered by at most an ACK and
/// one sound frame.
@Suite("Random commands to a board")
struct RandomCommandTests {
  /// A million altogether in the exhaustive run.
  private static let count = unsafe getenv("NFCPROG_EXHAUSTIVE") == nil ? 4_000 : 100_000

  @Test(
    "never end the board",
    arguments: [
      "ntag216", "ntag213,chip=clone,halts=no", "classic1k,sak=28,auth14=yes", "classic4k",
      "ultralight-c,fastread=no", "type4,uid=random", "felica-lite-s", "ntag213+classic1k",
      "type4,fsc=16,wtx=2,longread=6cxx", "type4+felica-lite,mapping=3", "desfire-ev1", "ntag424",
      "typeb+topaz512", "phone+felica-lite-s", "classic1k,uid=random,answers=64",
      "ultralight-ev1-21,com=slow,polls=wupa",
    ])
  func survives(_ text: String) throws {
    let spec = try SimulatedTagSpec(parsing: text)
    let tags = try (0..<spec.tagCount).map { try spec.tag(at: $0) }
    let chip = Chip(field: Field([tags]), deviations: [spec].board)
    let line = SerialLine(chip: chip)
    var random = SplitMix64(state: text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
    chip.wakeUp()
    for number in 0..<Self.count {
      if number % 97 == 0 {
        chip.powerCycle()
        chip.wakeUp()
        for tag in tags where !chip.field.present.contains(where: { $0 === tag }) {
          chip.field.place(tags)
        }
        for command in Self.opening { _ = chip.process(command: command) }
      }
      let command = Self.command(&random)
      let actions = line.receive(
        Frame.command(command).serialize(), bitsPerSecond: chip.speed.bitsPerSecond)
      var frames: [Frame] = []
      for case .send(let bytes, _) in actions {
        var parser = FrameParser()
        for case .frame(let frame) in parser.feed(bytes) { frames.append(frame) }
      }
      let isSound =
        switch frames.dropFirst().first {
        case nil, .error: true
        case .answer(let answer): answer.first == command.first.map { $0 &+ 1 }
        default: false
        }
      #expect(frames.count <= 2 && isSound, "\(Hex.string(command)): \(frames)")
    }
  }

  private static let opening: [[UInt8]] = [
    [0x14, 0x01], [0x32, 0x05, 0xFF, 0x01, 0x01], [0x4A, 0x01, 0x00],
  ]

  /// Mostly what is near a sensible command.
  private static func command(_ random: inout SplitMix64) -> [UInt8] {
    let page = random.bytes(1)[0]
    switch random.below(12) {
    case 0: return random.bytes(1 + random.below(Frame.longestPayload))
    case 1: return [0x42, 0x3A, page & 0x3F, random.bytes(1)[0]]
    case 2: return [0x42] + random.bytes(random.below(20))
    case 3: return [0x40, 0x01] + random.bytes(random.below(20))
    case 4: return [0x40, 0x01, 0x30, page]
    case 5: return [0x40, 0x01, 0xA2, page] + random.bytes(4)
    case 6: return [0x40, 0x01, 0x60 | page & 1, page] + [UInt8](repeating: 0xFF, count: 10)
    case 7: return [0x4A, 0x01 + page % 2, random.below(6) == 0 ? page % 5 : 0x00]
    case 8: return [[0x44], [0x52], [0x54]][random.below(3)] + [page % 3]
    case 9: return [0x08, 0x63, [0x02, 0x03, 0x05, 0x38][random.below(4)], page]
    case 10: return [0x40, 0x01, 0x00, [0xA4, 0xB0, 0xD6][random.below(3)], 0, 0, page]
    default: return [0x32, 0x01, page & 1]
    }
  }
}
