import NDEF
import TagMemory
import Testing

@testable import TagProgramming

/// AN1304, 6.4; AN10787, 3; keys and access bits of AN1304, 3 and MF1S50YYX_V1, 8.7.
@Suite("The steps of formatting a MIFARE Classic")
struct ClassicFormatPlannerTests {
  /// Sectors 2 to 4 hold no message yet: their trailers alone.
  private static let others = [2, 3, 4].map { sector in
    """
    open \(sector) A ffffffffffff
    write \(sector * 4 + 3) d3f7d3f7d3f77f078840ffffffffffff trailer
    open \(sector) B ffffffffffff
    open \(sector) A d3f7d3f7d3f7
    read \(sector * 4 + 3) ????????????7f078840????????????
    """
  }.joined(separator: "\n")

  private static let directory = """
    open 0 A ffffffffffff
    write 1 b40103e103e103e103e1050005000500 directory
    write 2 05000500050005000500050005000500 directory
    write 3 a0a1a2a3a4a5787788c1ffffffffffff trailer
    open 0 B ffffffffffff
    open 0 A a0a1a2a3a4a5
    read 1 b40103e103e103e103e1050005000500
    read 2 05000500050005000500050005000500
    read 3 ????????????787788c1????????????
    """

  private static func first(_ block: String, _ purpose: String) -> String {
    """
    open 1 A ffffffffffff
    write 4 \(block) \(purpose)
    write 7 d3f7d3f7d3f77f078840ffffffffffff trailer
    open 1 B ffffffffffff
    open 1 A d3f7d3f7d3f7
    read 4 \(block)
    read 7 ????????????7f078840????????????

    """
  }

  private static let message = try! Message(parsing: hex("d1010255 0461"))

  private static let rows = [
    PlanRow(
      "as delivered: sector by sector an empty message and the public key, the directory last",
      { () throws(JobFailure) in try plan(Mini.delivered) },
      gives: first("0300fe…", "content") + others + "\n" + directory),
    PlanRow(
      "as delivered, with a message: it takes the empty one's place",
      { () throws(JobFailure) in try plan(Mini.delivered) { $0.message = message } },
      gives: first("0306d10102550461fe…", "switchOn") + others + "\n" + directory),
    PlanRow(
      "one that is formatted needs nothing",
      { () throws(JobFailure) in try plan(Mini.formatted()) }, gives: ""),
    PlanRow(
      "a sector back at the factory's keys gets its trailer, and the message stays",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted("0306d10102550461fe")) {
            Mini.set(
              &$0, 3, opener: Mini.factory, writer: Mini.factory, trailer: Mini.transport)
          })
      },
      gives: """
        open 3 A ffffffffffff
        write 15 d3f7d3f7d3f77f078840ffffffffffff trailer
        open 3 B ffffffffffff
        open 3 A d3f7d3f7d3f7
        read 15 ????????????7f078840????????????
        """),
    PlanRow(
      "a directory with a wrong checksum is written again, by key B, and nothing else",
      { () throws(JobFailure) in
        try plan(Mini.with(Mini.formatted()) { $0.blocks[1]?[0] = 0x14 })
      },
      gives: """
        open 0 B ffffffffffff
        write 1 b40103e103e103e103e1050005000500 directory
        read 1 b40103e103e103e103e1050005000500
        """),
    PlanRow(
      "a directory whose second block was not written yet keeps its info byte",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.formatted()) { state in
            state.blocks[1] = hex("990203e103e103e103e1050005000500")
            state.blocks[2] = Mini.zeros
          })
      },
      gives: """
        open 0 B ffffffffffff
        write 2 05000500050005000500050005000500 directory
        read 2 05000500050005000500050005000500
        """),
    PlanRow(
      "another key B goes into every trailer, the first NFC sector's last before the directory's",
      { () throws(JobFailure) in
        try plan(Mini.formatted()) { $0.keyB = Key(hex("c0ffee010203")) }
      },
      gives: [4, 3, 2, 1].map { sector in
        """
        open \(sector) B ffffffffffff
        write \(sector * 4 + 3) d3f7d3f7d3f77f078840c0ffee010203 trailer
        open \(sector) B c0ffee010203
        open \(sector) A d3f7d3f7d3f7
        read \(sector * 4 + 3) ????????????7f078840????????????

        """
      }.joined() + """
        open 0 B ffffffffffff
        write 3 a0a1a2a3a4a5787788c1c0ffee010203 trailer
        open 0 B c0ffee010203
        open 0 A a0a1a2a3a4a5
        read 3 ????????????787788c1????????????
        """),
    PlanRow(
      "somebody's data are left alone",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.delivered) { $0.blocks[9] = hex("00112233445566778899aabbccddeeff") })
      }, isRefused: .refused),
    PlanRow(
      "a sector that no key opens is left alone, and the tag with it",
      { () throws(JobFailure) in
        try plan(
          Mini.with(Mini.delivered) {
            Mini.set(&$0, 2, opener: nil, writer: nil, trailer: nil)
          })
      }, isRefused: .refused),
    PlanRow(
      "a Mini has no sector 16 for a second directory",
      { () throws(JobFailure) in try plan(Mini.delivered) { $0.directory = .mad2 } },
      isRefused: .badInput),
  ]

  private static func plan(
    _ state: ClassicState, _ change: (inout ClassicFormat) -> Void = { _ in }
  )
    throws(JobFailure) -> TagProgram
  {
    var format = ClassicFormat()
    change(&format)
    return try ClassicFormatPlanner(state: state, format: format, isSurveyed: true).plan().program
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
