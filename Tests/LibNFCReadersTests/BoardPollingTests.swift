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

    @Test("A reader that is opened by its port alone finds a tag, and can be opened again")
    func opening() throws {
      let bench = try Bench("ntag213")
      for _ in 0..<2 {
        let reader = try TagReader(opening: bench.path)
        #expect(try reader.look().count == 1)
        reader.close()
      }
    }

    @Test("A FeliCa tag is found, read, written, told to serve NDEF, and seen off")
    func feliCa() throws {
      let bench = try Bench("felica-lite-s")
      let reader = try bench.open()
      reader.technologies = Self.everything
      let tag = try reader.waitForTag(timeout: .seconds(60)) { false }
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
      #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(60)) { false })
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
      reader.look(for: nil)
      let both = try reader.look()
      #expect(Set(both.map(\.technology)) == [.typeA, .feliCa])
      #expect(throws: ReaderError.severalTags(both.map(\.uid))) { try reader.select() }
      reader.technologies = [.feliCa]
      #expect(try reader.select().technology == .feliCa)
      reader.technologies = [.typeA]
      #expect(try reader.select().technology == .typeA)
      reader.close()
    }

    @Test("Two FeliCa tags are two tags: each answers in a time slot of its own")
    func twoFeliCa() throws {
      let bench = try Bench("felica-lite-s", "felica-lite-s")
      let reader = try bench.open()
      reader.technologies = Self.everything
      var error: ReaderError?
      do throws(ReaderError) {
        _ = try reader.waitForTag(timeout: .seconds(60)) { false }
      } catch let failure {
        error = failure
      }
      guard case .severalTags(let uids) = error else {
        Issue.record("\(error.map { "\($0)" } ?? "one of them was taken")")
        return
      }
      #expect(Set(uids).count == 2 && uids.allSatisfy { $0.bytes.count == 8 })
      reader.close()
    }

    @Test("A type B card is found, takes APDUs, is asked for in its protocol, and seen off")
    func typeB() throws {
      let bench = try Bench("typeb")
      let reader = try bench.open()
      reader.technologies = Self.everything
      let tag = try reader.waitForTag(timeout: .seconds(60)) { false }
      #expect(tag.technology == .typeB && tag.uid.bytes.count == 4 && reader.speaksISODEP)
      let answer = try reader.transmit(
        CommandAPDU(0x00, 0xA4, 0x04, 0x00, data: [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]),
        following: false)
      #expect(answer.status == StatusWord(0x6A, 0x82))
      #expect(try reader.isPresent(tag))
      try reader.reselect(tag)
      // Looked for anew: it was let go by the field.
      #expect(try reader.look().map(\.uid) == [tag.uid])
      bench.board.exclusively { $0.field.remove() }
      #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(60)) { false })
      reader.close()
    }

    @Test("A Topaz is found by its ID and answers what is typed")
    func topaz() throws {
      let bench = try Bench("topaz512")
      let reader = try bench.open()
      reader.technologies = Self.everything
      let tag = try reader.waitForTag(timeout: .seconds(60)) { false }
      guard case .topaz(let topaz) = tag else {
        Issue.record("\(tag)")
        return
      }
      #expect(topaz.atqa == 0x0C00)
      let answer = try reader.transceive([0x78, 0, 0, 0, 0, 0, 0])
      #expect(answer.count == 6 && Array(answer.suffix(4)) == topaz.uid)
      try reader.reselect(tag)
      bench.board.exclusively { $0.field.remove() }
      #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(60)) { false })
      reader.close()
    }

    @Test("Tags of type B and FeliCa together are two tags")
    func twoTechnologies() throws {
      let bench = try Bench("typeb", "felica-lite-s")
      let reader = try bench.open()
      reader.technologies = Self.everything
      let found = try reader.look()
      #expect(Set(found.map(\.technology)) == [.typeB, .feliCa])
      #expect(throws: ReaderError.severalTags(found.map(\.uid))) {
        try reader.waitForTag(timeout: .seconds(60)) { false }
      }
      reader.close()
    }

    @Test("Nothing of any technology is no tag, after few commands")
    func nothing() throws {
      let bench = try Bench()
      let reader = try bench.open()
      reader.technologies = Self.everything
      let count = bench.commands {
        #expect(throws: ReaderError.noTag) { try reader.waitForTag(timeout: .zero) { false } }
      }
      #expect(count <= 60)
      reader.close()
    }
  }
}
