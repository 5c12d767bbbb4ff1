import TagMemory
import Testing

@testable import TagProgramming

/// MF1S50YYX_V1, 8.6.3 and 8.7: as delivered are data of zeros, keys FF FF FF FF FF FF and access
/// bits FF 07 80 69.
@Suite("The steps of a MIFARE Classic back to its state of delivery")
struct ClassicResetPlannerTests {
  private static let trailers = [4, 3, 2].map { sector in
    """
    open \(sector) B ffffffffffff
    write \(sector * 4 + 3) ffffffffffffff078069ffffffffffff trailer
    open \(sector) A ffffffffffff
    read \(sector * 4 + 3) ????????????ff078069ffffffffffff
    """
  }.joined(separator: "\n")

  private static let rows = [
    PlanRow(
      "the directory's trailer first, so that no half directory shows; elsewhere the data before it",
      { () throws(JobFailure) in try plan(Mini.formatted("0306d10102550461fe")) },
      gives: """
        open 0 B ffffffffffff
        write 3 ffffffffffffff078069ffffffffffff trailer
        open 0 A ffffffffffff
        write 1 … blank
        write 2 … blank
        read 1 …
        read 2 …
        read 3 ????????????ff078069ffffffffffff

        """ + trailers + """

          open 1 B ffffffffffff
          write 4 … blank
          write 7 ffffffffffffff078069ffffffffffff trailer
          open 1 A ffffffffffff
          read 4 …
          read 7 ????????????ff078069ffffffffffff
          """),
    PlanRow(
      "one as delivered needs nothing",
      { () throws(JobFailure) in try plan(Mini.delivered) }, gives: ""),
    PlanRow(
      "data in a sector with its keys of delivery are all that goes",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.delivered) { $0.blocks[17] = hex("00112233445566778899aabbccddeeff") })
      },
      gives: """
        open 4 A ffffffffffff
        write 17 … blank
        read 17 …
        """),
    PlanRow(
      "a sector that no key opens",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) { Mini.set(&$0, 2, opener: nil, writer: nil, trailer: nil) })
      }, isRefused: .refused),
    PlanRow(
      "a sector that nobody may change",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) {
            Mini.set(&$0, 2, opener: Mini.nfc, writer: nil, trailer: Mini.lockedTrailer)
          })
      }, isRefused: .refused),
  ]

  private static func plan(_ state: ClassicState) throws(JobFailure) -> TagProgram {
    try ClassicResetPlanner(state: state).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
