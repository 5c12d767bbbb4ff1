import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Passwords and keys never show: a page that holds another one than was written is found out by an
/// authentication alone.
@Suite("Passwords and keys in raw pages")
struct RawSecretTests {
  private static let key = Array(UInt8(1)...16)
  /// CFG0 with AUTH0 = 4, CFG1, PWD and PACK.
  private static let protects: [UInt8] = [
    4, 0, 0, 4, 0, 5, 0, 0, 0xA5, 0x5A, 0xC3, 0x3C, 0xAB, 0xCD, 0, 0,
  ]

  /// Product, first page, bytes, and the pages among them that never show.
  private static let jobs: [(String, Int, [UInt8], ClosedRange<Int>)] = [
    ("ntag213", 41, protects, 43...44), ("ntag215", 131, protects, 133...134),
    ("ultralight-ev1-21", 37, [0] + protects[1...], 39...40),
    ("ntag213", 43, Array(protects[8..<12]), 43...43),
    ("ultralight-c", 42, [3, 0, 0, 0, 1, 0, 0, 0] + key, 44...47),
    ("ultralight-c", 44, key, 44...47), ("ultralight-aes", 48, key, 48...51),
  ]

  private static func write(_ start: Int, _ bytes: [UInt8]) -> Job {
    .writePages(PageWrite(start: start, bytes: bytes, force: true))
  }

  @Test("prove themselves, and are then said to be verified", arguments: jobs.indices)
  func proven(_ index: Int) throws {
    let (product, start, bytes, _) = Self.jobs[index]
    let bench = try Bench(product)
    let report = bench.run(Self.write(start, bytes))
    #expect(report.failure == nil, "\(product): \(report.failure?.message ?? "")")
    #expect(report.verified && report.findings.allSatisfy { $0.code != "not-proven" })
    #expect(Array(bench.memory[(start * 4)...].prefix(bytes.count)) == bytes)
  }

  @Test(
    "with a wrong bit end with 76, before anything asks for them", arguments: jobs.indices)
  func stuck(_ index: Int) throws {
    let (product, start, bytes, hidden) = Self.jobs[index]
    for page in hidden {
      let bench = try Bench(product)
      // The lowest bit of a byte of a triple DES key is parity and counts for nothing.
      let (address, bit) = (page * 4, 3)
      let value = bytes[address - start * 4] >> UInt8(bit) & 1
      bench.tag.eeprom.stuckBits = [StuckBit(address: address, bit: bit, value: 1 - value)]
      let before = bench.memory
      let report = bench.run(Self.write(start, bytes))
      #expect(report.failure?.kind == .mismatch, "\(product) \(page): \(report.failure as Any)")
      #expect(!report.verified)
      // The configuration is as it was: nothing asks for what nobody knows.
      for other in start..<start + bytes.count / 4 where !hidden.contains(other) {
        let range = other * 4..<other * 4 + 4
        #expect(bench.memory[range] == before[range], "\(product) \(other)")
      }
    }
  }

  @Test("with an answer lost at any step are finished in the same run", arguments: jobs.indices)
  func lostAnswers(_ index: Int) throws {
    let (product, start, bytes, _) = Self.jobs[index]
    let rehearsal = try Bench(product)
    #expect(rehearsal.run(Self.write(start, bytes)).failure == nil)
    for place in 2..<rehearsal.chip.places.exchanges {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .answerLost)]
      let bench = try Bench(product, faults: faults)
      let report = bench.run(Self.write(start, bytes))
      #expect(report.failure == nil, "\(product), \(place): \(report.failure?.message ?? "")")
      #expect(bench.memory == rehearsal.memory, "\(product), \(place)")
    }
  }

  @Test("that nothing can try are not said to be verified")
  func notProven() throws {
    for (product, page) in [("ntag213", 44), ("ultralight-c", 45), ("ultralight-aes", 52)] {
      let report = try Bench(product).run(Self.write(page, [1, 2, 0, 0]))
      #expect(report.result == .written && !report.verified, "\(product)")
      let finding = report.findings.first { $0.code == "not-proven" }
      #expect(finding?.text.contains("Page \(page) ") == true, "\(product)")
    }
  }
}
