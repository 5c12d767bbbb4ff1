import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// MF0ICU2, 7.5.5 to 7.5.8.
@Suite("The key of an Ultralight C")
struct UltralightCKeyTests {
  private static let key = Array(UInt8(0)...15)
  private static let message = "https://example.com/t/1"

  private static func knowing(_ key: [UInt8]) -> (inout RunOptions) -> Void {
    { $0.credentials.password = key }
  }

  @Test("stands in pages 44 to 47 as the data sheet's example has it (7.5.7)")
  func pages() throws {
    #expect(
      Type2Key.ultralightC.pages(of: Self.key) == [
        [7, 6, 5, 4], [3, 2, 1, 0], [15, 14, 13, 12], [11, 10, 9, 8],
      ])
    let bench = try Bench("ultralight-c")
    #expect(
      Array(bench.memory[176..<192])
        == Type2Key.ultralightC.pages(of: Type2Key.ultralightC.delivered)
        .flatMap(\.self))
  }

  @Test(
    "is set, used, changed and taken away; without it the tag stays as it is",
    arguments: [false, true])
  func life(readToo: Bool) throws {
    let bench = try Bench("ultralight-c")
    #expect(bench.run(.write(try url(Self.message), WriteOptions())).result == .written)
    let open = bench.memory
    let protect = Job.protect(Protection(key: Self.key, readToo: readToo))
    let protected = bench.run(protect)
    #expect(protected.result == .written && protected.failure == nil, "\(protected.failure as Any)")
    #expect(Array(bench.memory[168..<176]) == [3, 0, 0, 0, readToo ? 0 : 1, 0, 0, 0])
    let shut = bench.memory
    let other = Job.write(try url("https://example.com/t/2"), WriteOptions())
    for wrong in [nil, Array(UInt8(1)...16), [1, 2, 3, 4]] as [[UInt8]?] {
      let report = bench.run(other) { $0.credentials.password = wrong }
      #expect(report.failure?.kind == .refused, "\(report.failure as Any)")
      #expect(bench.run(.unprotect) { $0.credentials.password = wrong }.failure != nil)
    }
    #expect(bench.memory == shut)
    #expect(bench.run(protect, Self.knowing(Self.key)).result == .unchanged)
    #expect(bench.run(other, Self.knowing(Self.key)).failure == nil)
    let new = Array(UInt8(0xE0)...0xEF)
    #expect(
      bench.run(.protect(Protection(key: new)), Self.knowing(Self.key)).result == .written)
    #expect(bench.run(.unprotect, Self.knowing(Self.key)).failure?.kind == .refused)
    #expect(bench.run(.unprotect, Self.knowing(new)).result == .written)
    #expect(bench.memory[160...] == open[160...])
    #expect(bench.run(.unprotect).result == .unchanged)
    #expect(bench.run(.write(try url(Self.message), WriteOptions())).failure == nil)
    #expect(bench.memory == open)
  }

  @Test("has another length than a password, which is said before the first write")
  func lengths() throws {
    for (product, protection) in [
      ("ultralight-c", Protection(password: [1, 2, 3, 4])), ("ntag213", Protection(key: Self.key)),
    ] {
      let bench = try Bench(product)
      let before = bench.memory
      var options = WriteOptions()
      options.protection = protection
      for job in [Job.protect(protection), .write(try url(Self.message), options)] {
        let report = bench.run(job)
        #expect(report.failure?.kind == .badInput, "\(product): \(report.failure as Any)")
        #expect(bench.memory == before)
      }
    }
  }

  @Test("a locked key page is refused before the first write")
  func locked() throws {
    let bench = try Bench("ultralight-c")
    var memory = bench.memory
    memory[161] = 0x80
    bench.tag.eeprom.load(memory)
    let report = bench.run(.protect(Protection(key: Self.key)))
    #expect(report.failure?.cause == .type2(.locked([44, 45, 46, 47])))
    #expect(bench.memory == memory)
  }

  @Test(
    "jobs with a fault at their steps, on sound cells and bad ones", arguments: FaultCase.keySeals)
  func faults(_ item: FaultCase) throws {
    try item.tryFaults(oneOf: 4)
  }
}
