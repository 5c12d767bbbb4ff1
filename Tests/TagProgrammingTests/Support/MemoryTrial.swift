import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// A job with exchanges that were lost: the memory in the end is byte for byte that of an
/// undisturbed run, whatever was decided before. A row of `FaultCase` is all that a family adds.
struct MemoryTrial {
  /// What is done to the exchanges from one place on.
  struct Loss: CustomStringConvertible, Sendable {
    let description: String
    /// How many exchanges in a row.
    let count: Int
    let fault: @Sendable () -> ExchangeFault

    /// Is true if it strikes each exchange also where not all are asked for.
    var isThorough: Bool { description == "answer lost" }

    /// One exchange that is lost or damaged in each way, and a card that is away for four.
    static let all: [Loss] = [
      Loss(description: "silence", count: 1) { .silence },
      Loss(description: "answer lost", count: 1) { .answerLost },
      Loss(description: "answer damaged", count: 1) { .answerCorrupt },
      Loss(description: "refused", count: 1) { .nak(0) },
      Loss(description: "put back", count: 1) { .interrupted(afterObeying: true) },
      Loss(description: "away for four exchanges", count: 4) { .silence },
    ]
  }

  let item: FaultCase
  let before: [UInt8]
  let wanted: [UInt8]
  /// Why an undisturbed run refuses the job; nil where it does it.
  let refusal: JobFailure.Kind?
  let exchanges: Int

  init(_ item: FaultCase) throws {
    self.item = item
    let prepared = try Bench(item.product)
    item.prepare(prepared)
    before = prepared.memory
    let bench = try Self.bench(item, before, FaultPlan())
    let report = Self.run(item, on: bench)
    (wanted, refusal) = (bench.memory, report.failure?.kind)
    exchanges = bench.chip.places.exchanges
  }

  /// Every how many exchanges are struck; all of them where each is asked for.
  var step: Int { Exhaustive.isAsked ? 1 : max(1, exchanges / 6) }

  /// Strikes the exchanges from `place` on. After a run that says that it failed the same command
  /// must finish.
  func strike(_ loss: Loss, at place: Int) throws {
    var plan = FaultPlan()
    plan.exchanges = (0..<loss.count).map { (.at(place + $0), loss.fault()) }
    let what = "\(item.testDescription), \(loss) at \(place)"
    let bench = try Self.bench(item, before, plan)
    var (report, last) = (Self.run(item, on: bench), before)
    var isAgain = false
    // A card that is away from the first look on is put there until it stays.
    for start in 0...loss.count {
      guard let failure = report.failure,
        failure.kind == .noTag || failure.kind == .tagTrouble && start == 0
      else { break }
      bench.chip.field.place([bench.tag])
      (last, isAgain) = (bench.memory, true)
      report = Self.run(item, on: bench)
    }
    let isSame = bench.memory == wanted
    guard report.failure == nil else {
      #expect(report.failure?.kind == refusal, "\(what): \(report.failure?.message ?? "")")
      #expect(bench.memory == last, "damaged, then refused: \(what)")
      return
    }
    // Another start takes what readers find as it is.
    let isFound =
      isAgain
      && TagImage.content(bench.memory, of: item.product)
        == TagImage.content(wanted, of: item.product)
    let isNamed = isFound || report.findings.contains { Self.missing.contains($0.code) }
    #expect(
      isSame || isNamed, "another memory, and not a word of it: \(what): \(differences(bench))")
    #expect(isSame || loss.count > 1, "another memory after one lost exchange: \(what)")
  }

  /// The findings that name what a tag did not get.
  private static let missing: Set<String> = ["sector-closed", "sector-destroyed"]

  private func differences(_ bench: Bench) -> [Int] {
    Array(bench.memory.indices.filter { bench.memory[$0] != wanted[$0] }.prefix(12))
  }

  private static func bench(_ item: FaultCase, _ memory: [UInt8], _ plan: FaultPlan) throws -> Bench
  {
    let bench = try Bench(item.product, faults: plan)
    bench.tag.eeprom.load(memory)
    return bench
  }

  private static func run(_ item: FaultCase, on bench: Bench) -> TagReport {
    bench.run(item.job) {
      $0.patience = .zero
      $0.credentials = item.credentials
    }
  }
}
