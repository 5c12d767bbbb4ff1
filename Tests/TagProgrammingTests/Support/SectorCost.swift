import NDEF
import TagMemory
import Testing

@testable import TagProgramming

/// A command on a card, to count what it asks of sectors that somebody else has closed.
struct SectorCost: CustomTestStringConvertible, Sendable {
  let product: String
  let command: String
  let job: Job
  var isDryRun = false
  /// The card is looked at before the job is chosen, as in a series.
  var isSurveyed = false
  /// What the card holds is read and kept before it is destroyed.
  var isKept = false

  var testDescription: String { "\(command) on a \(product)" }

  /// Every command on the small cards, every fourth on the large ones.
  static let all = ["mini", "classic1k", "classic2k", "classic4k"].enumerated().flatMap {
    number, product in
    let all = all(on: product)
    return number < 2 || Exhaustive.isAsked
      ? all : all.enumerated().filter { $0.offset % 4 == number }.map(\.element)
  }

  static func all(on product: String) -> [SectorCost] {
    jobs.map { SectorCost(product: product, command: $0, job: $1) } + [
      SectorCost(
        product: product, command: "write-url --dry-run", job: FaultCase.other, isDryRun: true),
      SectorCost(
        product: product, command: "format-classic --overwrite --dry-run",
        job: PreparedTag.format { $0.overwrite = true }, isDryRun: true),
      SectorCost(
        product: product, command: "write-url --overwrite, kept",
        job: PreparedTag.write { $0.overwrite = true }, isKept: true),
      SectorCost(
        product: product, command: "reset-classic --overwrite, kept", job: .eraseClassic,
        isKept: true),
      SectorCost(product: product, command: "provision", job: FaultCase.other, isSurveyed: true),
      SectorCost(
        product: product, command: "provision --overwrite",
        job: PreparedTag.write { $0.overwrite = true }, isSurveyed: true),
      SectorCost(product: product, command: "audit", job: .read, isSurveyed: true),
      SectorCost(product: product, command: "clone", job: clone(of: product)),
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
    ("write-block, a trailer", FaultCase.rawTrailer),
  ]

  /// A restore of what a card of that kind holds with another message.
  private static func clone(of product: String) -> Job {
    FaultCase.restored("clone", product, FaultCase.short).job
  }

  /// What is asked of a card that `close` has changed.
  func authentications(
    on card: Card, keys: [Key] = [], close: (Bench) -> Void
  ) throws -> [WriteLog.Authentication] {
    var bench = try Bench(product)
    if let job = card.job { _ = bench.run(job) }
    close(bench)
    let log = WriteLog()
    bench.log = log
    let change = { (options: inout RunOptions) in
      options.credentials.keys = keys
      options.dryRun = isDryRun
    }
    _ = bench.run(job, isSurveyed: isSurveyed, change, keep: isKept ? { _ in } : nil)
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
