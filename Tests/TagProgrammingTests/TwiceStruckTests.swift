import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// From a line between a host and a board that tore two trailers, and lost the tag in a search: the
/// run ended well with a sector less.
@Suite("A MIFARE Classic whose trailer was torn, struck once more in the same run")
struct TwiceStruckTests {
  private static let job = Job.formatClassic(ClassicFormat())

  /// The memory of a card that nothing has struck, the writes of trailers, and how many exchanges
  /// there were.
  private static let undisturbed = Result {
    var bench = try Bench("classic1k")
    let log = WriteLog()
    bench.log = log
    _ = bench.run(job)
    return (
      memory: bench.memory, trailers: log.writes.indices.filter { log.writes[$0].place % 4 == 3 },
      exchanges: bench.chip.places.exchanges
    )
  }

  /// Formats a card; where the run ends well, and where it does not after the next one, the memory
  /// is that of an undisturbed run.
  private func check(_ faults: FaultPlan, _ what: String) throws {
    let bench = try Bench("classic1k", faults: faults)
    let report = bench.run(Self.job)
    if report.failure != nil {
      let next = Bench(bench.tag).run(Self.job)
      #expect(next.failure == nil, "\(what), the next run")
    }
    #expect(try bench.memory == Self.undisturbed.get().memory, "\(what)")
  }

  @Test("two torn trailers are both found again")
  func twoTears() throws {
    let trailers = try Self.undisturbed.get().trailers
    for first in trailers.dropFirst(2) where first.isMultiple(of: 3) {
      for second in first + 1...first + 9 {
        var faults = FaultPlan()
        faults.eepromWrites = [first, second].map {
          (.at($0), .torn(afterBytes: 3, putBack: true))
        }
        try check(faults, "\(first) and \(second)")
      }
    }
  }

  @Test("a search that a lost exchange ends is made again")
  func brokenSearch() throws {
    let (_, trailers, exchanges) = try Self.undisturbed.get()
    for trailer in [trailers[3], trailers[7]] {
      for place in stride(from: exchanges / 3, to: exchanges + 40, by: 3) {
        var faults = FaultPlan()
        faults.eepromWrites = [(.at(trailer), .torn(afterBytes: 3, putBack: true))]
        faults.exchanges = [(.at(place), .silence)]
        try check(faults, "\(trailer) and \(place)")
      }
    }
  }
}
