import PN532Simulator
import Testing

@testable import TagProgramming

/// Bad bits and bad cells at every position of every page and block that a job writes, writes that
/// store something else, and tears that leave anything.
@Suite("Jobs on tags whose cells fail")
struct CellFaultTests {
  @Test(
    "are told truly: nothing is said to be done that is not",
    arguments: FaultCase.all.enumerated().filter {
      // A DESFire's cells lie behind its own file system, whose bookkeeping a judge of bytes does
      // not know.
      !$0.element.product.hasPrefix("desfire")
    })
  func cells(_ number: Int, _ item: FaultCase) throws {
    let rehearsal = try Rehearsal(item)
    for fault in CellFault.allCases {
      var tally = FaultTally()
      let places = fault.places(
        of: rehearsal, isExhaustive: Exhaustive.isAsked, number: number)
      for place in places { tally += try CellTrial(item, rehearsal, fault, at: place).judge() }
      if !places.isEmpty { tally.print(fault.rawValue, item.testDescription) }
    }
  }
}
