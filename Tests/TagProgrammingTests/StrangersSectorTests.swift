import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

@Suite("What a sector costs that somebody else has closed")
struct StrangersSectorTests {
  /// What somebody has done to sectors of a card.
  private enum Closing: CaseIterable {
    /// Both keys are secret.
    case whole
    /// The public key A opens it, key B is secret.
    case keyB

    /// How many authentications such a sector costs.
    var most: Int { self == .whole ? 60 : 68 }

    func callAsFunction(_ sectors: [Int], on bench: Bench) {
      for sector in sectors {
        FaultCase.close(sector, bench)
        guard self == .keyB else { continue }
        var memory = bench.memory
        let key: Key = sector == 0 ? .mad : .nfc
        memory.replaceSubrange(sector * 64 + 48..<sector * 64 + 54, with: key.bytes)
        bench.tag.eeprom.load(memory)
      }
    }
  }

  private static let ownKeys = [Key([1, 2, 3, 4, 5, 6])!, Key([7, 2, 3, 4, 5, 6])!]

  @Test(
    "at most 60 authentications, or 68, and what the operator's keys add, for any command",
    arguments: SectorCost.all)
  func most(_ item: SectorCost) throws {
    for card in SectorCost.Card.all {
      for closing in Closing.allCases {
        for closed in [[0], [1], [3], [4], [1, 2, 3, 4]] {
          for keys in [[], Self.ownKeys] {
            let asked = try item.authentications(on: card, keys: keys) { closing(closed, on: $0) }
            for sector in closed {
              let here = asked.filter { $0.sector == sector }
              let own = here.count { asked in keys.contains { $0.bytes == asked.key } }
              let what =
                "\(item.testDescription), \(card.name), \(closing) \(closed), \(keys.count)"
              #expect(here.count - own <= closing.most, "\(what): sector \(sector)")
              // Each as key A and as key B, twice in each of two passes.
              #expect(own <= 8 * keys.count, "\(what): sector \(sector)")
            }
          }
        }
      }
    }
  }
}
