import Foundation
import PN532
import PN532Simulator
import TagMemory
import Testing

@testable import LibNFCReaders
@testable import Readers

extension BoardTests {
  @Suite("exchanges", .serialized)
  struct Exchanges {
    @Test("An empty field, one tag and two tags are told apart")
    func looks() throws {
      let none = try Bench()
      let reader = try none.open()
      #expect(throws: ReaderError.noTag) { try reader.select() }
      reader.close()
      let both = try Bench("ntag213", "classic1k")
      let second = try both.open()
      // Twice: the first look puts tags to sleep, and the second must see them all the same.
      _ = try second.look()
      let found = try second.look()
      #expect(Set(found.map(\.sak)) == [0x00, 0x08])
      #expect(throws: ReaderError.severalTags(found.map(\.uid))) { try second.select() }
      second.close()
    }

    @Test("A Classic is opened, written and read back; a wrong key is refused and forgiven")
    func classic() throws {
      let bench = try Bench("classic1k")
      let reader = try bench.open()
      let tag = try reader.select()
      #expect(throws: ReaderError.exchangeFailed(.authentication)) {
        try reader.authenticate(block: 4, key: .zeros, type: .a)
      }
      #expect(reader.needsReselect)
      try reader.reselect(tag)
      try reader.authenticate(block: 4, key: .factory, type: .a)
      let bytes = (0..<16).map { UInt8($0) }
      try reader.writeBlock(5, bytes)
      #expect(try reader.readBlock(5) == bytes)
      #expect(Array(bench.memory()[80..<96]) == bytes)
      #expect(reader.counts.authentications == 2)
      reader.close()
    }

    @Test("An NTAG is asked, written, read one way and the other")
    func type2() throws {
      let bench = try Bench("ntag216")
      let reader = try bench.open()
      _ = try reader.select()
      #expect(try reader.getVersion() == [0, 4, 4, 2, 1, 0, 0x13, 3])
      try reader.writePage(4, [1, 2, 3, 4])
      #expect(try reader.readPages(from: 4).prefix(4) == [1, 2, 3, 4])
      let all = try reader.fastRead(0...225)
      #expect(all == Array(bench.memory().prefix(226 * 4)))
      #expect(try reader.readSignature().count == 32)
      #expect(try reader.authenticate(password: [0xFF, 0xFF, 0xFF, 0xFF]) == [0, 0])
      reader.close()
    }

    @Test("A refusal keeps the chip's own status")
    func refusal() throws {
      let bench = try Bench("ntag213")
      let reader = try bench.open()
      let tag = try reader.select()
      let error = #expect(throws: ReaderError.self) { try reader.writePage(0, [0, 0, 0, 0]) }
      guard case .exchangeFailed(let status) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(status != .ok && reader.needsReselect)
      try reader.reselect(tag)
      #expect(try reader.readPages(from: 0).count == 16)
      reader.close()
    }

    @Test("A tag is awaited and its going noticed, each with a few commands")
    func comingAndGoing() throws {
      let bench = try Bench("ntag213")
      bench.board.removeTags()
      let reader = try bench.open()
      #expect(throws: ReaderError.noTag) {
        try reader.waitForTag(timeout: .milliseconds(60)) { false }
      }
      var placed: Int?
      let tag = try reader.waitForTag(timeout: .seconds(60)) {
        if placed == nil {
          placed = bench.commandCount
          let tag = try? TagCatalog.tag("ntag213")
          bench.board.exclusively { $0.field.place([tag].compactMap(\.self)) }
        }
        return false
      }
      #expect(bench.commandCount - (try #require(placed)) <= 20)
      bench.board.removeTags()
      let before = bench.commandCount
      #expect(try !reader.waitForRemoval(of: tag, timeout: .seconds(60)) { false })
      #expect(bench.commandCount - before <= 20)
      reader.close()
    }

    @Test("Polling an empty field burns no core: it pauses after each look")
    func idle() throws {
      let bench = try Bench()
      let reader = try bench.open()
      try reader.prepare()
      let start = ContinuousClock.now
      let looks = bench.commands {
        _ = try? reader.waitForTag(timeout: .milliseconds(500)) { false }
      }
      let elapsed = ContinuousClock.now - start
      #expect(TagReader.lookPause * looks <= elapsed, "\(looks) looks in \(elapsed)")
      reader.close()
    }
  }
}
