import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A command on a card, to count what it asks of sectors that somebody else has closed.
struct SectorCost: CustomTestStringConvertible, Sendable {
  let product: String
  let command: String
  let job: Job
  var keys: [Key] = []
  var isDryRun = false
  /// The card is looked at before the job is chosen, as in a series.
  var isSurveyed = false

  var sectorCount: Int { ["mini": 5, "classic1k": 16, "classic2k": 32][product] ?? 40 }

  var testDescription: String { "\(command) on a \(product)" }

  /// Every command on the small cards, every fourth on the large ones.
  static let all = ["mini", "classic1k", "classic2k", "classic4k"].enumerated().flatMap {
    number, product in
    let all = all(on: product)
    return number < 2 || Exhaustive.isAsked
      ? all : all.enumerated().filter { $0.offset % 4 == number }.map(\.element)
  }

  private static func all(on product: String) -> [SectorCost] {
    jobs.map { SectorCost(product: product, command: $0, job: $1) } + [
      SectorCost(
        product: product, command: "write-url --key", job: FaultCase.other,
        keys: [Key([1, 2, 3, 4, 5, 6])!]),
      SectorCost(
        product: product, command: "format-classic --overwrite --key",
        job: PreparedTag.format { $0.overwrite = true }, keys: [Key([1, 2, 3, 4, 5, 6])!]),
      SectorCost(
        product: product, command: "write-url --dry-run", job: FaultCase.other, isDryRun: true),
      SectorCost(
        product: product, command: "format-classic --overwrite --dry-run",
        job: PreparedTag.format { $0.overwrite = true }, isDryRun: true),
      SectorCost(product: product, command: "provision", job: FaultCase.other, isSurveyed: true),
      SectorCost(
        product: product, command: "provision --overwrite",
        job: PreparedTag.write { $0.overwrite = true }, isSurveyed: true),
      SectorCost(product: product, command: "audit", job: .read, isSurveyed: true),
    ]
  }

  private static let jobs: [(String, Job)] = [
    ("write-url", FaultCase.other), ("write", FaultCase.write(FaultCase.media(90))),
    ("write-url --overwrite", PreparedTag.write { $0.overwrite = true }),
    ("write-url --lock", PreparedTag.write { $0.lock = true }),
    ("write-url --sectors fewest", FaultCase.fewest(PreparedTag.url)),
    (
      "write-url --sectors fewest --overwrite",
      PreparedTag.write { ($0.sectors, $0.overwrite) = (.fewest, true) }
    ),
    ("write-url --sectors all", PreparedTag.write { $0.sectors = .all }),
    ("erase", .emptyMessage(WriteOptions())), ("format-classic", PreparedTag.format()),
    ("format-classic --overwrite", PreparedTag.format { $0.overwrite = true }),
    ("format-classic --key-b", FaultCase.formatWithKeyB), ("reset-classic", .resetClassic),
    ("reset-classic --overwrite", .eraseClassic), ("lock", .lock(force: false)), ("read", .read),
    ("info", .info), ("dump", .dump), ("write-block", FaultCase.rawBlocks),
  ]

  /// The block of each authentication, on a card with `closed` sectors.
  func authentications(on card: Card, closed: [Int]) throws -> [Int] {
    var bench = try Bench(product)
    if let job = card.job { _ = bench.run(job) }
    for sector in closed { FaultCase.close(sector, bench) }
    let log = WriteLog()
    bench.log = log
    _ = bench.run(job, isSurveyed: isSurveyed) {
      $0.credentials.keys = keys
      $0.dryRun = isDryRun
    }
    return log.authentications
  }

  /// What became of a card before.
  struct Card: Sendable {
    let name: String
    let job: Job?

    static let all = [
      Card(name: "blank", job: nil), Card(name: "with a URL", job: FaultCase.short),
    ]
  }
}

@Suite("What a sector costs that somebody else has closed")
struct StrangersSectorTests {
  @Test("at most 60 authentications, on any card and for any command", arguments: SectorCost.all)
  func most(_ item: SectorCost) throws {
    for card in SectorCost.Card.all {
      let open = try item.authentications(on: card, closed: []).count
      for closed in [[1], [1, 2, 3]] {
        let asked = try item.authentications(on: card, closed: closed)
        let what = "\(item.testDescription), \(card.name), closed \(closed)"
        for sector in closed {
          #expect(asked.count { $0 / 4 == sector } <= 60, "\(what)")
        }
        // Whatever is decided, it may take a look at all the others: each of their keys, and the
        // first once more.
        let look = 3 * (item.sectorCount - closed.count)
        #expect(
          asked.count - open <= 60 * closed.count + look, "\(what): \(open), \(asked.count)")
      }
    }
  }

  @Test("keys that a torn trailer may have are searched for 5 seconds at most")
  func torn() throws {
    // A refused authentication and the selection after it, at 115200 baud.
    let each = Duration.milliseconds(37)
    let writes = try Self.writes()
    for place in 0..<writes {
      for seed in 1...2 as ClosedRange<UInt64> {
        var faults = FaultPlan()
        faults.eepromWrites = [(.at(place), .scrambled(seed: seed, putBack: true))]
        var bench = try Bench("classic1k", faults: faults)
        let log = WriteLog()
        bench.log = log
        let report = bench.run(PreparedTag.format()) { $0.patience = .zero }
        let asked = Dictionary(grouping: log.authentications) { $0 / 4 }.mapValues(\.count)
        // Each pass asks eight usual keys, and the four likeliest once more.
        let most = (asked.values.max() ?? 0) - (8 + 4)
        #expect(each * most <= .seconds(5), "write \(place): \(most), \(report.findings)")
      }
    }
  }

  /// How many writes a format of a blank 1K takes.
  private static func writes() throws -> Int {
    let bench = try Bench("classic1k")
    _ = bench.run(PreparedTag.format())
    return bench.tag.eeprom.programmingCycles
  }
}
