import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Bits of a configuration page that mean nothing on one chip mean something on another: whatever a
/// job does, it leaves them.
@Suite("Reserved bits of a configuration")
struct ReservedBitsTests {
  /// Bits of CFG0 and CFG1 that a sheet gives a meaning, by what the chip's configuration is.
  private static func known(_ name: String) -> [UInt8] {
    switch name {
    case "ultralight-aes": [0x03, 0, 0, 0xFF, 0xCC, 0xFF, 0xFF, 0x03]
    case "ultralight-ev1-11", "ultralight-ev1-21", "mikron": [0x04, 0, 0, 0xFF, 0xC7, 0xFF, 0, 0]
    case "ntag210", "ntag212": [0x34, 0, 0xFF, 0xFF, 0xC7, 0xFF, 0, 0]
    default: [0xF4, 0, 0xFF, 0xFF, 0xDF, 0, 0, 0]
    }
  }

  private static let names = TagCatalog.names.filter {
    (try? TagCatalog.tag($0) as? VirtualType2)?.silicon.configuration != nil
  }

  @Test("stay through every job", arguments: names)
  func stay(_ name: String) throws {
    let silicon = try #require(try TagCatalog.tag(name) as? VirtualType2).silicon
    let start = try #require(silicon.configuration) * 4
    let secret = name == "ultralight-aes" ? Array(UInt8(1)...16) : [1, 2, 3, 4]
    let protection = Protection(secret: secret)
    let long = FaultCase.write(FaultCase.media(silicon.lastUserPage < 20 ? 24 : 60))
    let jobs: [[Job]] = [
      [FaultCase.short], [long], [PreparedTag.write { $0.lock = true }],
      [long, .lock(force: true)],
      [FaultCase.short, .protect(protection)], [.protect(protection), .unprotect],
      [PreparedTag.write { $0.protection = protection }], [.protect(protection), long, .unprotect],
      [FaultCase.mirrored(.uid), FaultCase.short],
    ]
    for seed in 0..<(Exhaustive.isAsked ? 64 : 6) {
      var random = SplitMix64(state: UInt64(seed))
      for list in jobs {
        let bench = try Bench(name)
        var memory = bench.memory
        for (index, mask) in Self.known(name).enumerated() {
          memory[start + index] ^= UInt8(truncatingIfNeeded: random.next()) & ~mask
        }
        // What demands a CMAC of every command is no reserved bit.
        bench.tag.eeprom.load(memory)
        for job in list {
          _ = bench.run(job) { $0.credentials.password = secret }
        }
        for (index, mask) in Self.known(name).enumerated() {
          #expect(
            bench.memory[start + index] & ~mask == memory[start + index] & ~mask,
            "\(name), seed \(seed), \(list.count) jobs, byte \(index)")
        }
      }
    }
  }
}
