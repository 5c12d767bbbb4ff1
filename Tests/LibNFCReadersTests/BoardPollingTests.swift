import PN532
import PN532Simulator
import TagMemory
import Testing

@testable import LibNFCReaders
@testable import Readers

extension BoardTests {
  @Suite("tags of several technologies", .serialized)
  struct Polling {
    private static let everything = Set(Technology.allCases)

    @Test("A FeliCa tag is found, read, written, told to serve NDEF, and seen off")
    func feliCa() throws {
      let bench = try Bench("felica-lite-s")
      let reader = try bench.open()
      reader.technologies = Self.everything
      let tag = try reader.waitForTag(timeout: .seconds(5)) { false }
      #expect(tag.feliCa?.pmm[1] == 0xF1 && tag.uid.bytes.count == 8)
      let attributes = try reader.readFeliCa([0x00])
      #expect(attributes.starts(with: [0x10, 0x04, 0x01, 0x00, 0x0D]))
      #expect(try reader.readFeliCa([0, 1, 2, 3]).count == 64)
      let bytes = (0..<16).map { UInt8($0) }
      try reader.writeFeliCa(5, bytes)
      #expect(try reader.readFeliCa([5]) == bytes)
      #expect(Array(bench.memory()[80..<96]) == bytes)
      #expect(throws: ReaderError.self) { try reader.readFeliCa([0x40]) }
      #expect(try reader.serves(systemCode: 0x12FC))
      #expect(try !reader.serves(systemCode: 0x0003))
      try reader.reselect(tag)
      #expect(try reader.waitForRemoval(of: tag, timeout: .milliseconds(50)) { false })
      bench.board.exclusively { $0.field.remove() }
      #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(5)) { false })
      #expect(throws: ReaderError.tagLost(expected: tag.uid, found: nil)) {
        try reader.reselect(tag)
      }
      reader.close()
    }

    @Test("A typed FeliCa command reaches the tag with length and IDm")
    func typed() throws {
      let bench = try Bench("felica-lite-s")
      let reader = try bench.open()
      reader.technologies = [.feliCa]
      let tag = try reader.select()
      let answer = try reader.transceive([0x06, 0x01, 0x0B, 0x00, 0x01, 0x80, 0x00])
      #expect(answer.starts(with: [0x07] + tag.uid.bytes + [0x00, 0x00, 0x01, 0x10]))
      reader.close()
    }

    @Test(
      "An NTAG is taken beside a FeliCa tag, unless everything is to be named; a known reel sees its own"
    )
    func mixed() throws {
      let bench = try Bench("ntag213", "felica-lite-s")
      let reader = try bench.open()
      reader.technologies = Self.everything
      #expect(try reader.select().technology == .typeA)
      #expect(try reader.readPages(from: 0).count == 16)
      reader.looksBesideTypeA = true
      let both = try reader.look()
      #expect(Set(both.map(\.technology)) == [.typeA, .feliCa])
      #expect(throws: ReaderError.severalTags(both.map(\.uid))) { try reader.select() }
      reader.technologies = [.feliCa]
      #expect(try reader.select().technology == .feliCa)
      reader.technologies = [.typeA]
      #expect(try reader.select().technology == .typeA)
      reader.close()
    }

    @Test("Nothing of any technology is no tag, within a second")
    func nothing() throws {
      let bench = try Bench()
      let reader = try bench.open()
      reader.technologies = Self.everything
      let duration = time {
        #expect(throws: ReaderError.noTag) { try reader.waitForTag(timeout: .zero) { false } }
      }
      #expect(duration < .seconds(1))
      reader.close()
    }
  }
}
