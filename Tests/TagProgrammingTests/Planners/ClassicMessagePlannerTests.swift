import TagMemory
import Testing

@testable import TagProgramming

/// AN1304, 4 and 5: the TLVs of the NFC sectors' data blocks, in a row.
@Suite("The steps of a message onto a MIFARE Classic")
struct ClassicMessagePlannerTests {
  private static let url = "d10102550461"
  /// 40 and 60 bytes.
  private static let long = "d101245500" + String(repeating: "61", count: 35)
  private static let longer = "d101385500" + String(repeating: "61", count: 55)
  private static let sixteen = String(repeating: "61", count: 16)

  private static let rows = [
    PlanRow(
      "where the message takes one block, one write switches it on",
      { () throws(JobFailure) in try plan(Mini.formatted(), url) },
      gives: """
        open 1 A d3f7d3f7d3f7
        write 4 0306d10102550461fe… switchOn
        read 4 0306d10102550461fe…
        """),
    PlanRow(
      "the message that is there needs nothing",
      { () throws(JobFailure) in try plan(Mini.formatted("0306d10102550461fe"), url) },
      gives: ""),
    PlanRow(
      "an old message is switched off, the new one written from its end, its length last",
      { () throws(JobFailure) in try plan(Mini.formatted("0306d10102550461fe"), long) },
      gives: """
        open 1 A d3f7d3f7d3f7
        write 4 0300fe0102550461fe… switchOff
        write 6 61616161616161616161fe… content
        write 5 \(sixteen) content
        write 4 0328d101245500616161616161616161 switchOn
        read 4 0328d101245500616161616161616161
        read 5 \(sixteen)
        read 6 61616161616161616161fe…
        """),
    PlanRow(
      "an empty message is off already",
      { () throws(JobFailure) in try plan(Mini.formatted(), long) },
      gives: """
        open 1 A d3f7d3f7d3f7
        write 6 61616161616161616161fe… content
        write 5 \(sixteen) content
        write 4 0328d101245500616161616161616161 switchOn
        read 4 0328d101245500616161616161616161
        read 5 \(sixteen)
        read 6 61616161616161616161fe…
        """),
    PlanRow(
      "a message that reaches the next sector opens that one first",
      { () throws(JobFailure) in try plan(Mini.formatted("0306d10102550461fe"), longer) },
      gives: """
        open 1 A d3f7d3f7d3f7
        write 4 0300fe0102550461fe… switchOff
        open 2 A d3f7d3f7d3f7
        write 8 6161616161616161616161616161fe00 content
        open 1 A d3f7d3f7d3f7
        write 6 \(sixteen) content
        write 5 \(sixteen) content
        write 4 033cd101385500616161616161616161 switchOn
        read 4 033cd101385500616161616161616161
        read 5 \(sixteen)
        read 6 \(sixteen)
        open 2 A d3f7d3f7d3f7
        read 8 6161616161616161616161616161fe00
        """),
    PlanRow(
      "12 blocks of 16 bytes take 190 bytes behind type and length, not 191",
      { () throws(JobFailure) in
        try plan(Mini.formatted(), String(repeating: "00", count: 191))
      }, isRefused: .badInput),
    PlanRow(
      "a sector that is read-only for good",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) {
            Mini.set(&$0, 1, opener: Mini.nfc, writer: nil, trailer: Mini.lockedTrailer)
          }, url)
      }, isRefused: .refused),
  ]

  private static func plan(_ state: ClassicState, _ message: String) throws(JobFailure)
    -> TagProgram
  {
    try ClassicMessagePlanner(state: state, area: Mini.area, message: hex(message)).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
