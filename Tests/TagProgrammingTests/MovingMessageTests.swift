import TagMemory
import Testing

@testable import TagProgramming

@Suite("A message that moves")
struct MovingMessageTests {
  @Test(
    "the jobs that faults strike begin it at another place than before",
    arguments: FaultCase.moving)
  func moves(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let (old, new) = (rehearsal.before, rehearsal.wanted)
    func start(_ memory: [UInt8]) -> Int? {
      guard case .message(let bytes) = TagImage.content(memory, of: item.product), !bytes.isEmpty
      else { return nil }
      return memory.indices.first { memory[$0...].starts(with: bytes.prefix(8)) }
    }
    let (before, behind) = (start(old), start(new))
    #expect(before != nil && before != behind, "\(before ?? 0), \(behind ?? 0)")
  }
}
