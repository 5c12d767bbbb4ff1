import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A bench whose operator says what the tags are: a tag that bears it out is not asked, every other
/// one is.
@Suite("A known reel of Type 2 tags")
struct KnownTypeTests {
  private static let products = Type2Tests.products

  private static func bench(_ product: String, _ job: Job?) throws -> Bench {
    let bench = try Bench(product)
    if let job { _ = bench.run(job) }
    return bench
  }

  @Test(
    "a tag of the type that was said ends as one of which nothing was said", arguments: products)
  func same(_ product: String) throws {
    for job in [FaultCase.short, .read, .lock(force: true), .info, .dump] {
      for old in [nil, FaultCase.other] {
        let (asked, known) = (try Self.bench(product, old), try Self.bench(product, old))
        let wanted = asked.run(job)
        let report = known.run(job) { $0.expected = Product.named(product) }
        #expect(report.failure == wanted.failure, "\(product), \(job)")
        #expect(report.result == wanted.result && report.product == wanted.product)
        #expect(report.message == wanted.message && report.findings == wanted.findings)
        #expect(known.memory == asked.memory, "\(product), \(job)")
        #expect(report.counts.frames <= wanted.counts.frames, "\(product), \(job)")
      }
    }
  }

  @Test(
    "a tag of another type is left alone and named", arguments: products,
    [nil, FaultCase.other, .protect(Protection(password: [1, 2, 3, 4]))])
  func other(_ product: String, _ old: Job?) throws {
    let found = try #require(Product.named(product))
    for expected in Self.products.compactMap(Product.named) where expected != found {
      let bench = try Self.bench(product, old)
      let before = bench.memory
      let report = bench.run(FaultCase.short) { $0.expected = expected }
      let failure = try #require(report.failure, "\(expected) expected, \(product) found")
      #expect(failure.kind == .refused, "\(failure)")
      #expect(
        failure.message.contains("\(found)") && failure.message.contains("\(expected)"),
        "\(failure)")
      #expect(bench.memory == before, "\(expected) expected, \(product) written")
    }
  }

  @Test(
    "a relative that shows what the type that was said shows is left alone and named",
    arguments: [
      ("ntag213f", "ntag213"), ("ntag213tt", "ntag213"), ("ntag213c", "ntag213"),
      ("ntag215f", "ntag215"), ("ntag216f", "ntag216"), ("ntag-i2c-1k", "ntag216"),
      ("ntag213", "ntag213f"), ("ntag216", "ntag216f"),
    ])
  func twin(_ product: String, _ said: String) throws {
    let expected = try #require(Product.named(said))
    for old in [nil, FaultCase.other] {
      for job in [
        FaultCase.short, FaultCase.write(FaultCase.media(60)), .lock(force: true),
        .protect(Protection(password: [1, 2, 3, 4])),
      ] {
        let bench = try Self.bench(product, old)
        let before = bench.memory
        let report = bench.run(job) { $0.expected = expected }
        #expect(report.failure?.kind == .refused, "\(job)")
        #expect(report.failure?.holds == .unchanged && bench.memory == before, "\(job)")
        #expect(report.product?.name == product, "\(job)")
      }
    }
  }

  @Test("a card of another technology is left alone, too")
  func classic() throws {
    let bench = try Bench("classic1k")
    let before = bench.memory
    let failure = bench.run(FaultCase.short) { $0.expected = .ntag213 }.failure
    #expect(failure?.kind == .refused && failure?.message.contains("NTAG213") == true)
    #expect(bench.memory == before)
  }

  @Test("a list's other rows are asked, and not refused")
  func hint() throws {
    let bench = try Bench("ntag215")
    let report = bench.run(FaultCase.short) {
      $0.expected = .ntag213
      $0.refusesOtherTypes = false
    }
    #expect(report.failure == nil && report.product == .ntag215)
  }

  @Test(
    "a message costs the least exchanges: the look, two reads, its writes, one read back",
    arguments: ["ntag213", "ntag215", "ntag216"])
  func floor(_ product: String) throws {
    func frames(_ job: Job, _ expected: Product?) throws -> (frames: Int, writes: Int) {
      let report = try Self.bench(product, FaultCase.other).run(job) { $0.expected = expected }
      #expect(report.failure == nil)
      return (report.counts.frames, report.counts.writes)
    }
    let known = Product.named(product)
    let (reading, writing) = (try frames(.read, known), try frames(FaultCase.short, known))
    // GET_VERSION is all that is spared; before a write it tells an NTAG213F, 215F or 216F.
    #expect(try frames(.read, nil).frames == reading.frames + 1)
    #expect(try frames(FaultCase.short, nil).frames == writing.frames)
    // Where several pages change, AUTH0 is read before the first.
    #expect(writing.frames == reading.frames + 1 + 1 + writing.writes + 1)
    let look = reading.frames - 2
    #expect(look <= 2, "\(look) commands for the look")
  }

  @Test("chips that do not know GET_VERSION show the end of their memory instead")
  func end() throws {
    for product in ["ultralight", "ultralight-c", "ntag203"] {
      let known = try #require(Product.named(product))
      let asked = try Self.bench(product, FaultCase.other).run(.read).counts
      let told = try Self.bench(product, FaultCase.other).run(.read) { $0.expected = known }.counts
      #expect(told.frames + 2 <= asked.frames, "\(product): \(told.frames) of \(asked.frames)")
    }
  }
}
