import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A MAD2 whose second part, in sector 16, does not show with the directory's public key A: nobody
/// knows whose the sectors are, and no telephone reads on.
@Suite("A directory whose second part is closed")
struct SecondDirectoryTests {
  private static let secret = PreparedTag.strangeKey

  /// Ways to close sector 16 of a formatted card with a message.
  private static let ways: [(name: String, close: @Sendable (inout [UInt8]) -> Void)] = [
    (
      "secret keys",
      { memory in
        memory.replaceSubrange(1072..<1078, with: secret.bytes)
        memory.replaceSubrange(1082..<1088, with: secret.bytes)
      }
    ),
    (
      "data for key B",
      { memory in
        let conditions = AccessConditions(data: .keyBOnly, trailer: .managedWithB)
        memory.replaceSubrange(1078..<1081, with: AccessBits(conditions).serialize())
        memory.replaceSubrange(1082..<1088, with: secret.bytes)
      }
    ),
    (
      "data for nobody",
      { memory in
        let conditions = AccessConditions(data: .closed, trailer: .managedWithB)
        memory.replaceSubrange(1078..<1081, with: AccessBits(conditions).serialize())
        memory.replaceSubrange(1082..<1088, with: secret.bytes)
      }
    ),
  ]

  private func bench(_ close: (inout [UInt8]) -> Void) throws -> Bench {
    let bench = try Bench("classic4k")
    #expect(bench.run(FaultCase.short).failure == nil)
    var memory = bench.memory
    close(&memory)
    bench.tag.eeprom.load(memory)
    return bench
  }

  @Test("is not readable for any command, and nothing is written", arguments: ways.map(\.name))
  func closed(_ way: String) throws {
    let close = try #require(Self.ways.first { $0.name == way }).close
    for job in [Job.info, .read] {
      #expect(try bench(close).run(job).content.obstacle != nil, "\(way), \(job)")
    }
    let jobs: [(String, Job)] = [
      ("write", FaultCase.other), ("write and lock", PreparedTag.write { $0.lock = true }),
      ("long", FaultCase.write(FaultCase.media(900))), ("lock", .lock(force: false)),
      ("format", PreparedTag.format()), ("fewest", FaultCase.fewest(FaultCase.media(9))),
    ]
    for (name, job) in jobs {
      for dryRun in [true, false] {
        let bench = try bench(close)
        let before = bench.memory
        let report = bench.run(job) { $0.dryRun = dryRun }
        #expect(report.failure?.kind == .refused, "\(way), \(name)")
        #expect(bench.memory == before, "\(way), \(name)")
      }
    }
  }

  @Test("with --overwrite becomes a MAD1, which is said, and a telephone reads it")
  func givenUp() throws {
    for (name, close) in Self.ways where name == "secret keys" {
      let bench = try bench(close)
      let report = bench.run(PreparedTag.write { $0.overwrite = true })
      #expect(
        report.failure == nil && report.findings.map(\.code).contains("mad-second"), "\(name)")
      #expect(bench.run(.read).message == PreparedTag.url)
      #expect(bench.memory[57] & 0x03 == 0x01)
    }
  }
}
