import TagMemory
import Testing

@testable import TagProgramming

/// AN1304, 6.4: access bits 07 8F 0F and general purpose byte 43 make an NFC sector read-only.
@Suite("The steps of locking a MIFARE Classic")
struct ClassicLockPlannerTests {
  private static func locked(_ sectors: Int...) -> String {
    sectors.map { sector in
      """
      open \(sector) B ffffffffffff
      write \(sector * 4 + 3) d3f7d3f7d3f7078f0f43ffffffffffff lock
      open \(sector) B ffffffffffff
      open \(sector) A d3f7d3f7d3f7
      read \(sector * 4 + 3) ????????????078f0f43????????????
      """
    }.joined(separator: "\n")
  }

  private static func lock(_ state: inout ClassicState, _ sector: Sector) {
    Mini.set(&state, sector, opener: Mini.nfc, writer: nil, trailer: Mini.lockedTrailer)
  }

  private static let rows = [
    PlanRow(
      "from the last sector to the one where the message starts, each proved by both keys",
      { () throws(JobFailure) in try plan(Mini.formatted()) }, gives: locked(4, 3, 2, 1)),
    PlanRow(
      "what is locked stays as it is",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) {
            lock(&$0, 4)
            lock(&$0, 3)
          })
      }, gives: locked(2, 1)),
    PlanRow(
      "one that is locked needs nothing",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) { state in
            for sector in Mini.sectors { lock(&state, sector) }
          })
      }, gives: ""),
    PlanRow(
      "a sector that nobody may change and that is not locked",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) {
            Mini.set(&$0, 2, opener: Mini.nfc, writer: nil, trailer: Mini.openTrailer)
          })
      }, isRefused: .refused),
    PlanRow(
      "a locked sector that opens with another key than the public one",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) {
            Mini.set(&$0, 2, opener: Mini.factory, writer: nil, trailer: Mini.lockedTrailer)
          })
      }, isRefused: .refused),
  ]

  private static func plan(_ state: ClassicState) throws(JobFailure) -> TagProgram {
    try ClassicLockPlanner(state: state, sectors: Mini.sectors).plan()
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
