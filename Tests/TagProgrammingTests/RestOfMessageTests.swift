import NDEF
import TagMemory
import Testing

@testable import TagProgramming

/// A tag on which the head of a message went wrong, behind somebody's control TLV.
@Suite("The rest of a message")
struct RestOfMessageTests {
  @Test("gives way to a message that fits, and says of a longer one how much fits")
  func room() throws {
    let bench = try Bench("ntag213")
    let letters = String(repeating: "x", count: 115)
    let long = FaultCase.write(Message(try URIRecord("https://example.com/\(letters)").record))
    _ = bench.run(long)
    var memory = bench.memory
    memory.replaceSubrange(16..<24, with: [0x02, 0x03, 0x18, 0x04, 0x44, 0, 0, 0])
    bench.tag.eeprom.load(memory)
    let refused = bench.run(long).failure
    guard case .messageTooLong(_, let capacity, _, _)? = refused?.cause else {
      Issue.record("\(String(describing: refused))")
      return
    }
    let written = bench.run(FaultCase.short)
    #expect((written.result, written.capacity) == (.written, capacity))
    #expect(bench.run(.info).capacity == capacity)
  }
}
