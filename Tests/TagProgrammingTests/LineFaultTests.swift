import LibNFCReaders
import NDEF
import PN532Simulator
import Readers
import TagMemory
import Testing

@testable import TagProgramming

/// The same through libnfc and a pseudo-terminal: frames of the line that are lost, damaged or
/// late, a board that hangs or is unplugged; and each run's time is bounded.
@Suite("Jobs through libnfc with a fault on the line", .serialized)
struct LineFaultTests {
  private enum Fault: CustomStringConvertible, CaseIterable {
    case commandLost, commandDamaged, hang, unplugged
    case answerLost, answerDamaged, answerLate, unpluggedAfter, tagAnswerLost, removed, putBack

    func plan(at place: Int) -> FaultPlan {
      var plan = FaultPlan()
      switch self {
      case .commandLost: plan.commands = [(.at(place), .lost)]
      case .commandDamaged: plan.commands = [(.at(place), .corrupt)]
      case .hang: plan.commands = [(.at(place), .hang)]
      case .unplugged: plan.commands = [(.at(place), .unplugged)]
      case .answerLost: plan.answers = [(.at(place), .lost)]
      case .answerDamaged: plan.answers = [(.at(place), .corrupt)]
      case .answerLate: plan.answers = [(.at(place), .late(.milliseconds(400)))]
      case .unpluggedAfter: plan.answers = [(.at(place), .unplugged)]
      case .tagAnswerLost: plan.exchanges = [(.at(place), .answerLost)]
      case .removed: plan.exchanges = [(.at(place), .removed(afterObeying: true))]
      case .putBack: plan.exchanges = [(.at(place), .interrupted(afterObeying: true))]
      }
      return plan
    }

    func count(of places: FaultPlaces) -> Int {
      switch self {
      case .commandLost, .commandDamaged, .hang, .unplugged: places.commands
      case .answerLost, .answerDamaged, .answerLate, .unpluggedAfter: places.answers
      case .tagAnswerLost, .removed, .putBack: places.exchanges
      }
    }

    var description: String {
      switch self {
      case .commandLost: "line: command lost"
      case .commandDamaged: "line: command damaged"
      case .hang: "line: board hangs"
      case .unplugged: "line: unplugged before it obeyed"
      case .answerLost: "line: answer lost"
      case .answerDamaged: "line: answer damaged"
      case .answerLate: "line: answer late"
      case .unpluggedAfter: "line: unplugged after it obeyed"
      case .tagAnswerLost: "line: tag's answer lost"
      case .removed: "line: tag removed"
      case .putBack: "line: tag put back"
      }
    }
  }

  /// Waiting for the tag takes none; opening a hanging board up to 2 s, closing it 1 s
  /// (LibNFCLink).
  private static func bound(_ report: TagReport) -> Duration {
    RetryBudget.limit(report.program) + .seconds(5)
  }

  private static let cases = FaultCase.all.filter {
    [
      "longer URL on ntag213", "first URL on ntag213", "first URL on mini", "format on mini",
      "longer URL on classic1k", "long message on ntag215", "reset on mini", "password on ntag213",
      "lock on ntag213", "pages on ntag213", "first URL on felica-lite-s",
      "first URL on type4", "longer URL on ntag424",
    ].contains($0.testDescription)
  }

  @Test("are told truly, in time, and are finished by the same command", arguments: cases)
  func faults(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    let places = try run(item, on: rehearsal.before, .none).places
    for (number, fault) in Fault.allCases.enumerated() {
      var tally = FaultTally()
      let count = fault.count(of: places)
      // The first commands open the reader: that fails or not before any tag is met.
      let samples = Exhaustive.isAsked ? 12 : 1
      let step = max(1, count / samples)
      let start = Exhaustive.isAsked ? number % step : count * (number + 3) / 16
      for place in stride(from: start, to: count, by: step).prefix(samples) {
        tally.places += 1
        try judge(item, rehearsal, fault, at: place, &tally)
      }
      tally.print("\(fault)", item.testDescription)
    }
  }

  private func judge(
    _ item: FaultCase, _ rehearsal: Rehearsal, _ fault: Fault, at place: Int,
    _ tally: inout FaultTally
  ) throws {
    let what = "\(item.testDescription), \(fault) at \(place)"
    let first = try run(item, on: rehearsal.before, fault.plan(at: place))
    #expect(first.elapsed < first.bound, "\(what): \(first.elapsed)")
    let content = Self.content(first.memory, item)
    let (old, new) = (
      Self.content(rehearsal.before, item), Self.content(rehearsal.wanted, item)
    )
    if !item.isRaw {
      let allowed = [old, new, .message([])] + (old == .none || new == .none ? [.none] : [])
      #expect(allowed.contains(content), "\(what): found \(content)")
    }
    let isDone = first.memory == rehearsal.wanted
    guard let failure = first.failure else {
      tally.recovered += 1
      #expect(isDone, "success is told: \(what)")
      return
    }
    tally.failed += 1
    #expect([69, 74, 75].contains(failure), "\(what): \(failure)")
    let again = try run(item, on: first.memory, .none)
    let isFinished = again.memory == rehearsal.wanted
    #expect(again.failure == nil && isFinished, "again after \(what): \(again.failure ?? 0)")
    if isFinished { tally.finished += 1 }
  }

  private static func content(_ memory: [UInt8], _ item: FaultCase) -> TagImage.Content {
    TagImage.content(memory, of: item.product)
  }

  private struct Outcome {
    var failure: Int32?
    var memory: [UInt8]
    var places: FaultPlaces
    var elapsed: Duration
    var bound: Duration
  }

  /// Opens a board with the tag on it as one start of the program does, and runs the job.
  private func run(_ item: FaultCase, on memory: [UInt8], _ faults: FaultPlan) throws -> Outcome {
    let tag = try TagCatalog.tag(item.product)
    tag.eeprom.load(memory)
    let board = SimulatedBoard(field: Field(tag), faults: faults)
    let path = try board.start()
    let clock = ContinuousClock()
    let start = clock.now
    var (failure, bound) = (Int32?.none, Duration.seconds(5))
    do throws(ReaderError) {
      let reader = TagReader(link: try LibNFCLink(opening: path))
      if item.isFeliCa { reader.technologies = [.feliCa] }
      try reader.prepare()
      var options = RunOptions()
      options.timeout = .zero
      options.patience = .zero
      options.credentials = item.credentials
      let report = Programmer(reader: reader, options: options).run(item.job)
      reader.close()
      (failure, bound) = (report.failure?.exitCode, Self.bound(report))
    } catch {
      // The reader could not be opened: exit status 69.
      failure = 69
    }
    let elapsed = clock.now - start
    return board.exclusively { chip in
      Outcome(
        failure: failure, memory: tag.eeprom.bytes, places: chip.places, elapsed: elapsed,
        bound: bound)
    }
  }
}
