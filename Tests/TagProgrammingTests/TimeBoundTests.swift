import NDEF
import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// Nothing hangs: a job's time is bounded by its plan, whatever tag and board do.
@Suite("The time that a job may take")
struct TimeBoundTests {
  /// A board whose every answer comes at the last moment; time passes on the clock of the test.
  private final class SlowLink: ChipLink {
    let name = "slow"
    private let link: DirectLink
    private let pass: (Duration) -> Void

    init(_ chip: Chip, pass: @escaping (Duration) -> Void) {
      (link, self.pass) = (DirectLink(chip), pass)
    }

    func transceive(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> [UInt8] {
      pass(timeout)
      return try link.transceive(command, timeout: timeout)
    }

    func close() {}
  }

  /// Runs `job` on a bad antenna; returns how long it took, and how long it may take.
  private func run(_ item: FaultCase, loss: Double, seed: UInt64) throws -> (Duration, Duration) {
    let rehearsal = try Rehearsal(item)
    var plan = FaultPlan()
    plan.exchanges = [(.rate(loss, seed: seed), .silence)]
    let tag = try TagCatalog.tag(item.product)
    tag.eeprom.load(rehearsal.before)
    let chip = Chip(field: Field(tag), faults: plan)
    let time = TestTime()
    let reader = TagReader(link: SlowLink(chip) { time.advance($0) }, clock: time.clock)
    if tag.technology == .f { reader.technologies = [.feliCa] }
    var options = RunOptions()
    options.timeout = .zero
    options.patience = .zero
    options.credentials = item.credentials
    var found = Duration.zero
    var (begun, longest, limit) = (Duration.zero, Duration.zero, RetryBudget.limit(nil))
    let programmer = Programmer(reader: reader, options: options) { progress in
      switch progress {
      case .found: found = time.elapsed
      case .planned(let program): limit = max(limit, RetryBudget.limit(program))
      case .retrying:
        longest = max(longest, time.elapsed - begun)
        begun = time.elapsed
      default: break
      }
    }
    let report = programmer.run(item.job)
    #expect(report.failure == nil || report.failure?.remedy != nil)
    return (time.elapsed, found + limit + max(longest, time.elapsed - begun))
  }

  @Test(
    "is the plan's and one pass more, on the worst antenna with the slowest board",
    arguments: FaultCase.all.filter { $0.product != "classic4k" }, [0.02, 0.2, 0.9])
  func bound(_ item: FaultCase, loss: Double) throws {
    for seed in 0..<(Exhaustive.isAsked ? 40 : 2) {
      let (elapsed, bound) = try run(item, loss: loss, seed: UInt64(seed))
      #expect(elapsed <= bound, "seed \(seed)")
    }
  }

  @Test("follows from the plan: ten seconds, and a tenth of one for each command")
  func limit() throws {
    let report = try Bench("ntag213").run(FaultCase.short)
    let program = try #require(report.program)
    #expect(program.cost.commands == 8)
    #expect(RetryBudget.limit(program) == .milliseconds(10_800))
    #expect(RetryBudget.limit(nil) == .seconds(10))
  }
}
