import Bytes
import PN532
import Testing

@Suite("Frames, UM0701-02 6.2.1")
struct FrameTests {
  private func frame(_ text: String) throws -> Frame {
    let words = text.split(separator: " ", maxSplits: 1)
    let payload = try words.count > 1 ? Hex.bytes(words[1]) : []
    switch words[0] {
    case "command": return .command(payload)
    case "answer": return .answer(payload)
    case "ack": return .ack
    case "nack": return .nack
    default: return .error
    }
  }

  @Test("serializes and parses every vector", arguments: try Vector.load("frames"))
  func roundTrip(_ vector: Vector) throws {
    let (wire, expected) = (try vector.bytes(1), try frame(vector.fields[2]))
    #expect(expected.serialize() == wire)
    var parser = FrameParser()
    #expect(parser.feed(wire) == [.frame(expected)])
    #expect(!parser.isWithinFrame)
  }

  @Test("takes the extended form above 254 bytes of payload and where the host likes it")
  func extended() {
    let long = Frame.command([0x42] + [UInt8](repeating: 0xA5, count: 254))
    #expect(Array(long.serialize().prefix(8)) == [0, 0, 0xFF, 0xFF, 0xFF, 0x01, 0x00, 0xFF])
    let full = Frame.command([0x42] + [UInt8](repeating: 0x5A, count: 253))
    #expect(Array(full.serialize().prefix(5)) == [0, 0, 0xFF, 0xFF, 0x01])
    let short = Frame.command([0x02])
    #expect(
      short.serialize(extended: true)
        == [0, 0, 0xFF, 0xFF, 0xFF, 0, 2, 0xFE, 0xD4, 0x02, 0x2A, 0])
    for frame in [long, full, short] {
      var parser = FrameParser()
      #expect(parser.feed(frame.serialize()) == [.frame(frame)])
      #expect(parser.feed(frame.serialize(extended: true)) == [.frame(frame)])
    }
  }

  @Test("carries every payload length from 1 to 264")
  func everyLength() {
    var parser = FrameParser()
    for count in 1...Frame.longestPayload {
      let frame = Frame.answer((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
      #expect(parser.feed(frame.serialize()) == [.frame(frame)])
    }
  }

  @Test("finds frames behind long preambles, wake-up bytes and rubbish")
  func resynchronizes() {
    let command = Frame.command([0x02])
    let wakeUp: [UInt8] = [0x55, 0x55] + [UInt8](repeating: 0, count: 14)
    let rubbish: [UInt8] = [0x98, 0x80, 0x98, 0x80, 0x1E, 0x66]
    for before in [
      wakeUp, rubbish, [0x00], [0x00, 0xFF], [0x00, 0xFF, 0x00, 0x00], [0xFF, 0xFF],
    ] {
      var parser = FrameParser()
      let events = parser.feed(before + command.serialize() + Frame.ack.serialize())
      #expect(events.contains(.frame(command)), "behind \(before)")
      #expect(events.last == .frame(.ack))
    }
  }

  @Test("reports damage as a value and goes on with the next frame")
  func faults() {
    let next = Frame.command([0x04])
    let cases: [([UInt8], FrameFault)] = [
      (
        [0, 0, 0xFF, 0x02, 0xFD, 0xD4, 0x02, 0x2A, 0],
        .lengthChecksum(header: [0x00, 0xFF, 0x02, 0xFD])
      ),
      ([0, 0, 0xFF, 0x00, 0x00], .length(0)),
      ([0, 0, 0xFF, 0xFF, 0xFF, 0x01, 0x0A, 0xF5], .length(266)),
      (
        [0, 0, 0xFF, 0x02, 0xFE, 0xD4, 0x03, 0x2A, 0],
        .dataChecksum(content: [0xD4, 0x03], received: 0x2A)
      ),
      ([0, 0, 0xFF, 0x01, 0xFF, 0xD4, 0x2C, 0], .identifier(content: [0xD4])),
      ([0, 0, 0xFF, 0x02, 0xFE, 0x11, 0x02, 0xED, 0], .identifier(content: [0x11, 0x02])),
    ]
    for (bytes, fault) in cases {
      var parser = FrameParser()
      #expect(parser.feed(bytes + next.serialize()) == [.fault(fault), .frame(next)])
    }
  }

  @Test("a flipped bit never passes for a sound frame with another payload")
  func flippedBits() {
    let frame = Frame.command([0x40, 0x01, 0xA2, 0x05, 0x07, 0x54, 0x02, 0x65])
    let wire = frame.serialize()
    for position in wire.indices.dropFirst(2) {
      for bit in 0..<8 {
        var damaged = wire
        damaged[position] ^= 1 << bit
        var parser = FrameParser()
        let found = parser.feed(damaged)
        #expect(found.allSatisfy { $0 == .frame(frame) || !$0.isFrame })
      }
    }
  }

  @Test("any bytes at all leave the parser usable")
  func hostileBytes() {
    var random = SystemRandomNumberGenerator()
    var parser = FrameParser()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        [0x00, 0xFF, 0xD4, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)!
      }
      _ = parser.feed(bytes)
      parser.reset()
      #expect(parser.feed(Frame.ack.serialize()) == [.frame(.ack)])
    }
  }

  @Test("faults read as sentences")
  func sentences() {
    #expect(
      FrameFault.lengthChecksum(header: [0, 0xFF, 2, 3]).description
        == "the length checksum of the frame header 00 ff 02 03 is wrong")
    #expect(FrameFault.length(0).description == "a frame cannot hold 0 bytes")
    #expect(
      FrameFault.dataChecksum(content: [0xD4, 2], received: 0x2B).description
        == "the data checksum 2b of a frame of 2 bytes is wrong")
    #expect(
      FrameFault.identifier(content: [0x11]).description
        == "a frame starts with 11, which is not a frame identifier")
  }
}

extension FrameParser.Event {
  fileprivate var isFrame: Bool {
    if case .frame = self { true } else { false }
  }
}
