import PN532
import PN532Simulator
import Pace
import Readers
import TagMemory
import Testing

@testable import TagProgramming

@Suite("How long torn keys are searched for")
struct TornKeyTimeTests {
  /// Keys that need no search: public ones, and those that the jobs give.
  private static let usual: Set<[UInt8]> = Set(
    ([.factory, .nfc, .mad, .zeros, .sampleB, FaultCase.ownKeyB] + [Key([1, 2, 3, 4, 5, 6])!])
      .map(\.bytes))

  /// How long one start of `job` searches: the authentications with other keys, and what is sent
  /// until the next one.
  private func search(_ item: SectorCost, on tag: any VirtualTag, _ faults: FaultPlan = .none)
    throws -> Duration
  {
    let link = MeteredLink(Chip(field: Field(tag), faults: faults))
    let reader = TagReader(link: link, clock: TestTime().clock)
    try reader.prepare()
    var options = RunOptions()
    (options.timeout, options.patience, options.dryRun) = (.zero, .zero, item.isDryRun)
    let programmer = Programmer(reader: reader, options: options)
    if item.isKept { programmer.keepMemory = { _ in } }
    _ = item.isSurveyed ? programmer.runSurveyed { _ in item.job } : programmer.run(item.job)
    var (isSearching, sum) = (false, Duration.zero)
    for (command, _, time) in link.times {
      if command.count == 14, [0x60, 0x61].contains(command[2]) {
        isSearching = !Self.usual.contains(Array(command[4..<10]))
      }
      if isSearching { sum += time.total }
    }
    return sum
  }

  @Test(
    "five seconds at most, in the start that was struck and in the next ones",
    arguments: SectorCost.all.filter { ["mini", "classic1k"].contains($0.product) })
  func torn(_ item: SectorCost) throws {
    for card in SectorCost.Card.all {
      let trailers = try trailers(item, on: card)
      let step = Exhaustive.isAsked ? 1 : max(1, trailers.count / 3)
      for index in stride(from: 0, to: trailers.count, by: step) {
        for isBack in [true, false] {
          var faults = FaultPlan()
          faults.eepromWrites = [
            (.at(trailers[index]), .scrambled(seed: UInt64(index + 1), putBack: isBack))
          ]
          let tag = try prepared(item, card)
          let what = "\(item.testDescription), \(card.name), trailer \(index), \(isBack)"
          #expect(try search(item, on: tag, faults) <= .seconds(5), "\(what)")
          for start in 1...2 {
            #expect(try search(item, on: tag) <= .seconds(5), "\(what), again \(start)")
          }
        }
      }
    }
  }

  @Test("five seconds at most, on cards of strangers", arguments: SectorCost.all)
  func strangers(_ item: SectorCost) throws {
    for card in SectorCost.Card.all {
      for closed in [[1], [3], [1, 2], [1, 2, 4], [1, 2, 3, 4]] {
        let tag = try prepared(item, card)
        for sector in closed { FaultCase.close(sector, Bench(tag)) }
        let time = try search(item, on: tag)
        #expect(time <= .seconds(5), "\(item.testDescription), \(card.name), \(closed)")
      }
    }
  }

  private func prepared(_ item: SectorCost, _ card: SectorCost.Card) throws -> any VirtualTag {
    let bench = try Bench(item.product)
    if let job = card.job { _ = bench.run(job) }
    return bench.tag
  }

  /// Which of the job's programming cycles are of trailers.
  private func trailers(_ item: SectorCost, on card: SectorCost.Card) throws -> [Int] {
    var bench = Bench(try prepared(item, card))
    let log = WriteLog()
    bench.log = log
    _ = bench.run(item.job) { $0.dryRun = item.isDryRun }
    return log.writes.indices.filter { log.writes[$0].place % 4 == 3 }
  }
}
