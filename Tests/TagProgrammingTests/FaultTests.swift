import NDEF
import PN532Simulator
import TagMemory
import Testing

@testable import TagProgramming

/// Every step of every job with every fault at it: the outcome must be told truly, whoever reads
/// the tag finds the old message, an empty one, the new one or no NDEF tag, and the same job
/// finishes it.
@Suite("Jobs with a fault at each of their steps")
struct FaultTests {
  /// How many places of a job are tried with each fault; the exhaustive run tries all.
  private static func sample(_ item: FaultCase) -> Int {
    item.product == "classic4k" || item.isFeliCa || item.isType4 ? 1 : 2
  }

  @Test(
    "say nothing of the message that the write which was cut short may have changed",
    arguments: FaultCase.all.filter { $0.name == "URL, a directory alone" })
  func anyPlace(_ item: FaultCase) throws {
    let kind = try #require(FaultKind.all.first { $0.name == "host frame: unpluggedAfter" })
    let rehearsal = try Rehearsal(item)
    for place in 0..<rehearsal.count(of: kind.place) {
      try FaultTrial(item, rehearsal, kind, at: place).judge()
    }
  }

  @Test(
    "are told truly, leave the tag readable, and are finished by the same command",
    arguments: FaultCase.all)
  func faults(_ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    for kinds in Dictionary(grouping: FaultKind.all.enumerated(), by: \.element.name).values {
      var tally = FaultTally()
      for (number, kind) in kinds {
        let count = rehearsal.count(of: kind.place)
        let step = Exhaustive.isAsked ? 1 : max(1, count / Self.sample(item))
        for place in stride(from: number % step, to: count, by: step) {
          tally += try FaultTrial(item, rehearsal, kind, at: place).judge()
        }
      }
      tally.print(kinds[0].element.name, item.testDescription)
    }
  }
}
