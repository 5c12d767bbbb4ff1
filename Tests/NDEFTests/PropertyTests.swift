import Bytes
import SeededNumbers
import Testing

@testable import NDEF

@Suite("Any message, any bytes")
struct PropertyTests {
  /// Reads `bytes` in every way and tells what went wrong: whatever is taken as a message must
  /// come back from its canonical bytes, and every fault must lie within the bytes.
  static func flaw(in bytes: [UInt8]) -> String? {
    let raw = RawMessage(parsing: bytes)
    for record in raw.joinedRecords() where record.content.summary.utf8.contains(0x0A) {
      return "a summary of several lines"
    }
    for fault in raw.faults where !(0...bytes.count).contains(fault.offset) {
      return "a fault outside the bytes: \(fault)"
    }
    do throws(NDEFError) {
      let message = try Message(parsing: bytes)
      if !raw.faults.isEmpty { return "a message with faults" }
      let canonical = message.serialize()
      if canonical.count > bytes.count { return "longer canonical bytes" }
      if try Message(parsing: canonical) != message { return "another message from its bytes" }
    } catch {
      if raw.faults.first != error { return "another fault: \(error)" }
    }
    return nil
  }

  @Test("canonical messages come back from their bytes", arguments: 1...4 as ClosedRange<UInt64>)
  func roundTrip(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<250 {
      let message = try random.message()
      let bytes = message.serialize()
      let read = try Message(parsing: bytes)
      guard read == message, read.serialize() == bytes, read.byteCount == bytes.count,
        read.records.map({ $0.content.record }) == message.records
      else {
        Issue.record("seed \(seed): \(Hex.string(bytes))")
        return
      }
    }
  }

  @Test(
    "random bytes give a message or a fault, never a crash",
    arguments: 1...4 as ClosedRange<UInt64>)
  func randomBytes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let bytes = random.bytes(0...40)
      if let flaw = Self.flaw(in: bytes) { Issue.record("\(flaw): \(Hex.string(bytes))") }
    }
  }

  @Test(
    "mutated messages give a message or a fault, never a crash",
    arguments: 1...4 as ClosedRange<UInt64>)
  func mutations(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var readable = 0
    for _ in 0..<200 {
      let message = try random.message().serialize()
      for _ in 0..<10 {
        let bytes = random.mutation(of: message)
        if let flaw = Self.flaw(in: bytes) { Issue.record("\(flaw): \(Hex.string(bytes))") }
        if RawMessage(parsing: bytes).faults.isEmpty { readable += 1 }
      }
    }
    // Mutations that all broke, or all spared, the frame would test little.
    #expect((200...1800).contains(readable))
  }

  @Test(
    "random payloads of every known type are read or named malformed",
    arguments: 1...4 as ClosedRange<UInt64>)
  func payloads(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let types: [(TypeNameFormat, String)] = [
      (.wellKnown, "U"), (.wellKnown, "T"), (.wellKnown, "Sp"), (.media, "text/vcard"),
      (.media, "application/vnd.wfa.wsc"), (.external, "android.com:pkg"),
    ]
    for (format, type) in types {
      for _ in 0..<500 {
        let record = try Record(format, type: type.utf8, payload: random.bytes(0...30))
        guard case .malformed(let malformed) = record.content else { continue }
        if malformed.record != record
          || !(0...record.payload.count).contains(malformed.error.offset)
        {
          Issue.record("\(malformed.error): \(type), \(Hex.string(record.payload))")
        }
      }
    }
  }

  @Test("the greatest lengths set no memory aside", arguments: [0xC1, 0xC9, 0xE2, 0xC5] as [UInt8])
  func greatestLengths(_ flags: UInt8) {
    for count in 0...12 {
      let bytes = [flags] + [UInt8](repeating: 0xFF, count: count)
      #expect(RawMessage(parsing: bytes).records.isEmpty)
    }
  }
}
