import PN532Simulator
import Testing

@testable import TagProgramming

/// What a reader finds that comes between two writes of a job: the old message, an empty one or the
/// new one, and never a directory with a wrong checksum.
@Suite("A MIFARE Classic between any two writes of a job")
struct OrderTests {
  static let cases = FaultCase.all.filter(\.isClassic)

  @Test(
    "shows the old message, an empty one or the new one, and no bad directory", arguments: cases)
  func everyPrefix(_ item: FaultCase) throws {
    let bench = try Bench(item.product)
    item.prepare(bench)
    let before = bench.memory
    var seen: [[UInt8]] = []
    let eeprom = bench.tag.eeprom
    eeprom.onProgrammed = { [unowned eeprom] in seen.append(eeprom.bytes) }
    #expect(bench.run(item.job) { $0.credentials = item.credentials }.failure == nil)
    let after = bench.memory
    let ends = [before, after].map { TagImage.content(ofClassic: $0) }
    for (number, memory) in seen.enumerated() {
      let what = "\(item.testDescription), after write \(number + 1) of \(seen.count)"
      // Where the area of an NDEF tag grows, one checksum covers both blocks (AN10787, 3.10).
      if Self.isBetweenDirectories(memory, before, after) { continue }
      let content = TagImage.content(ofClassic: memory)
      #expect((ends + [.message([])]).contains(content), "\(what): \(content)")
      if !TagImage.hasBadDirectory(before) {
        #expect(!TagImage.hasBadDirectory(memory), "\(what): a bad directory")
      }
    }
  }

  /// Whether an NDEF tag that stays one holds one block of the old directory and one of the new.
  private static func isBetweenDirectories(
    _ now: [UInt8], _ old: [UInt8], _ new: [UInt8]
  ) -> Bool {
    let stays = [old, new].allSatisfy { TagImage.content(ofClassic: $0) != .none }
    let (isOld, isNew) = (now[16..<48] == old[16..<48], now[16..<48] == new[16..<48])
    return stays && !isOld && !isNew
      && [16..<32, 32..<48].allSatisfy { now[$0] == old[$0] || now[$0] == new[$0] }
  }
}
