import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// What is said of the room on a MIFARE Classic, and of what a telephone may do there, was seen.
@Suite("Capacity and status of a MIFARE Classic")
struct ClassicCapacityTests {
  /// An NDEF tag with a short message, and the longest one that readers take up to each sector.
  private static func bench(_ product: String) throws -> Bench {
    let bench = try Bench(product)
    #expect(bench.run(FaultCase.short).failure == nil)
    return bench
  }

  /// Looks at the tag before anything is decided.
  private static func look(at bench: Bench) throws -> TagFound {
    let reader = TagReader(link: DirectLink(bench.chip, log: nil), clock: TestTime().clock)
    try reader.prepare()
    var found: TagFound?
    var options = RunOptions()
    options.timeout = .zero
    _ = Programmer(reader: reader, options: options).runSurveyed {
      found = $0
      return .read
    }
    return try #require(found)
  }

  @Test(
    "no sector counts that the public key was not seen to open",
    arguments: ["mini", "classic1k"], [0, 1, 2])
  func closed(_ product: String, way: Int) throws {
    let count = try #require(Product.named(product)?.classicSectorCount)
    for sector in 2..<count {
      let room = 48 * (sector - 1)
      let most = room - (room - 2 > 254 ? 4 : 2)
      for (name, job) in [
        ("info", Job.info), ("dump", .dump), ("read", .read), ("write", FaultCase.other),
        ("dry run", FaultCase.other), ("lock", .lock(force: false)),
      ] {
        let bench = try Self.bench(product)
        switch way {
        case 0: FaultCase.close(sector, bench)
        case 1: FaultCase.set(AccessConditions(data: .closed, trailer: .closed), of: sector, bench)
        default:
          var memory = bench.memory
          memory[sector * 64 + 54] ^= 0xFF
          bench.tag.eeprom.load(memory)
        }
        let what = "\(name), sector \(sector)"
        let report = bench.run(job) { $0.dryRun = name == "dry run" }
        #expect(
          report.capacity == nil || report.capacity == most, "\(what): \(report.capacity ?? 0)")
        guard name == "info" else { continue }
        #expect(report.capacity == most, "\(what)")
        let code = way == 2 ? "sector-destroyed" : "sector-key"
        #expect(report.findings.contains { $0.code == code }, "\(what)")
      }
    }
  }

  @Test("all sectors count that were looked at", arguments: [("mini", 190), ("classic1k", 716)])
  func whole(_ product: String, _ capacity: Int) throws {
    let bench = try Self.bench(product)
    #expect(bench.run(.info).capacity == capacity)
    #expect(bench.run(PreparedTag.format { $0.overwrite = true }).capacity == capacity)
    #expect(try Self.look(at: bench).capacity == capacity)
  }

  @Test(
    "what a telephone may do shows from the first trailer, to every job",
    arguments: DataCondition.allCases)
  func status(_ data: DataCondition) throws {
    for trailer in TrailerCondition.allCases {
      let bench = try Self.bench("mini")
      let conditions = AccessConditions(data: data, trailer: trailer)
      FaultCase.set(conditions, of: 1, bench)
      let info = bench.run(.info).status
      let wanted: NDEFStatus =
        !conditions.allows(.read, .first, with: .a)
        ? .notSupported : conditions.allows(.write, .first, with: .a) ? .readWrite : .readOnly
      let what = "\(data) \(trailer)"
      #expect(info == wanted, "\(what)")
      #expect(bench.run(.read).status == wanted, "\(what), read")
      #expect(try Self.look(at: bench).status == wanted, "\(what), look")
    }
  }
}
