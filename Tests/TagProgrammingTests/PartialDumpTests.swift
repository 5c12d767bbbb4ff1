import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("Dumps that do not know all of their message")
struct PartialDumpTests {
  private static let products =
    Type2Tests.products + ["mini", "classic1k", "classic4k", "felica-lite", "felica-lite-s"]
  private static let (own, other) = ("https://example.com/t/0001", "https://other.org/a/b/c/d/e")

  private func written(_ product: String, _ text: String) throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(.write(try url(text), WriteOptions())).failure == nil)
    return bench
  }

  private func shown(_ bench: Bench) -> [UInt8]? {
    bench.run(.read).description.content.shown
  }

  @Test("make no message of theirs and the tag's together", arguments: products)
  func rows(_ product: String) throws {
    let source = try written(product, Self.own)
    let image = try #require(source.run(.dump).dump).image
    let size = image.layout.rowByteCount
    let wanted = try #require(shown(source))
    var refusals = 0
    for row in 0..<image.layout.rowCount where image.row(row)?.contains(where: { $0 != 0 }) == true
    {
      var bytes = image.bytes
      bytes.replaceSubrange(row * size..<(row + 1) * size, with: Array(repeating: nil, count: size))
      let partial = try #require(MemoryImage(image.layout, uid: image.uid, bytes: bytes))
      for target in [try Bench(product), try written(product, Self.other)] {
        let (before, memory) = (shown(target), target.memory)
        let report = target.run(.restore(Restore(partial)))
        if let failure = report.failure {
          refusals += failure.cause == .partOfMessage ? 1 : 0
          #expect(failure.kind == .badInput && target.memory == memory, "row \(row): \(failure)")
        }
        let after = shown(target)
        #expect(after == nil || after == [] || after == before || after == wanted, "row \(row)")
      }
    }
    #expect(refusals > 0)
  }
}
