import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("A FeliCa tag whose system of NDEF has an IDm of its own")
struct FeliCaSystemsTests {
  @Test("is named by the IDm that it is found by, and read and written by the other")
  func jobs() throws {
    let bench = try Bench("felica-standard")
    let found = bench.run(.info)
    #expect(found.failure == nil && found.product == .feliCaStandard)
    #expect(found.target?.uid == UID(bench.tag.uid))
    #expect(found.status == .readWrite && found.capacity == 640)
    let written = bench.run(FaultCase.short)
    #expect(written.result == .written && written.verified)
    #expect(TagImage.content(of: bench.memory) == .message(try message().serialize()))
    #expect(bench.run(.read).message == (try message()))
    #expect(bench.run(FaultCase.short).result == .unchanged)
  }

  @Test("stays the one that was found, whatever exchange is lost")
  func disturbed() throws {
    let undisturbed = try Bench("felica-standard")
    #expect(undisturbed.run(FaultCase.short).failure == nil)
    for place in 0..<undisturbed.chip.places.exchanges {
      var faults = FaultPlan()
      faults.exchanges = [(.at(place), .answerLost)]
      let bench = try Bench("felica-standard", faults: faults)
      let report = bench.run(FaultCase.short)
      #expect(report.failure == nil, "exchange \(place): \(report.failure as Any)")
      #expect(bench.memory == undisturbed.memory, "exchange \(place)")
    }
  }

  private func message() throws -> Message { try url("https://example.com/t/0001") }
}

extension TagImage {
  /// What stands behind an attribute block, whatever tag it is on.
  fileprivate static func content(of memory: [UInt8]) -> Content {
    let length = Int(memory[11]) << 16 | Int(memory[12]) << 8 | Int(memory[13])
    return memory[9] == 0 ? .message(Array(memory[16..<16 + length])) : .rubbish
  }
}
