import NDEF
import TagMemory
import Testing

@testable import TagProgramming

@Suite("A comparison of two dumps")
struct DumpComparisonTests {
  private static let trials = TagTrial.all.enumerated().filter {
    Exhaustive.isAsked || $0.offset % 3 == 0
  }.map(\.element)

  @Test("finds each byte that differs where it is, and no other", arguments: trials)
  func everyByte(_ trial: TagTrial) throws {
    let report = try trial.tag.bench().run(.dump) { $0.credentials = trial.tag.credentials }
    guard var dump = report.dump else { return }
    dump.named = report.product
    #expect(MemoryComparison(dump, dump).isEqual)
    let image = dump.image
    let known = dump.knownRows.flatMap(\.self)
    let size = image.layout.rowByteCount
    for index in stride(from: 0, to: image.bytes.count, by: Exhaustive.isAsked ? 1 : 7) {
      guard let byte = known[index] else { continue }
      var bytes = image.bytes
      // A key of zeros is none.
      bytes[index] = byte ^ 0x55
      guard let changed = MemoryImage(image.layout, uid: image.uid, bytes: bytes) else { continue }
      var other = dump
      other.image = changed
      other.image.isMirrored = image.isMirrored
      let comparison = MemoryComparison(dump, other)
      let what = "\(trial.testDescription), byte \(index)"
      #expect(comparison.differences.count == 1 && comparison.beside == [], "\(what)")
      guard let difference = comparison.differences.first else { continue }
      #expect((1...2).contains(difference.meaning.count), "\(what): \(difference.meaning)")
      if let place = image.place(ofRow: index / size) {
        #expect(difference.place == place, "\(what)")
        // What is shown of either is what it holds; a key is not shown.
        let isSecret = difference.meaning.contains { $0.contains("key") || $0 == "password" }
        #expect(difference.second[index % size] == (isSecret ? nil : byte ^ 0x55), "\(what)")
      }
    }
  }

  @Test("dumps of different kinds of tags are not compared byte by byte")
  func kinds() throws {
    let dumps = try ["ntag213", "classic1k", "ntag215", "type4"].map {
      try #require(try Bench($0).run(.dump).dump)
    }
    for first in dumps {
      for second in dumps {
        let comparison = MemoryComparison(first, second)
        #expect(
          (comparison.kinds == nil) == (first == second) && comparison.isEqual == (first == second))
        #expect(comparison.differences.isEmpty)
      }
    }
  }

  @Test("where only a mirrored counter has moved, no message differs")
  func countedMirror() throws {
    for content in [ASCIIMirror.Content.counter, .uidAndCounter] {
      let bench = try Bench("ntag213")
      let url = "https://example.com/?c=\(content.placeholder)"
      let message = Message(try URIRecord(url).record)
      var write = WriteOptions()
      write.mirror = MessageMirror(placeholderOf: content, in: message.serialize())
      #expect(bench.run(.write(message, write)).failure == nil)
      let dump = try #require(bench.run(.dump).dump)
      let place = try #require(dump.image.shownMirror(of: dump.product))
      // As other programs save what they have read.
      func read(at count: UInt32) -> TagDump {
        var read = dump
        read.image = dump.image.replacing(
          place, by: place.text(uid: dump.image.uid, counter: count))
        return read
      }
      let (first, second) = (read(at: 1), read(at: 9))
      #expect(first.image.message != second.image.message)
      let comparison = MemoryComparison(first, second)
      #expect(!comparison.hasOtherMessage && comparison.differences.isEmpty, "\(comparison)")
      let other = Message(try URIRecord("https://example.com/other").record)
      #expect(bench.run(.write(other)).failure == nil)
      let third = try #require(bench.run(.dump).dump)
      #expect(MemoryComparison(first, third).hasOtherMessage)
    }
  }
}
