import TagMemory
import Testing

@testable import TagProgramming

@Suite("The steps of a dump onto a MIFARE Classic")
struct ClassicRestorePlannerTests {
  private static let tag = Mini.formatted("0306d10102550461fe")
  private static let dump = Mini.image(of: tag, keys: Mini.keys)
  private static let blank = Mini.image(of: Mini.delivered)

  private static func trailers(_ sectors: Int...) -> String {
    sectors.map { sector in
      """
      open \(sector) A ffffffffffff
      write \(sector * 4 + 3) d3f7d3f7d3f77f078840ffffffffffff trailer
      open \(sector) B ffffffffffff
      open \(sector) A d3f7d3f7d3f7
      read \(sector * 4 + 3) ????????????7f078840????????????

      """
    }.joined()
  }

  private static let rows = [
    PlanRow(
      "an NDEF tag's onto one as delivered: the message's sector after the others, the directory last",
      { () throws(JobFailure) in try plan(Mini.delivered, dump) },
      gives: trailers(4, 3, 2) + """
        open 1 A ffffffffffff
        write 4 0306d10102550461fe… restored
        read 4 0306d10102550461fe…

        """ + trailers(1) + """
          open 0 A ffffffffffff
          write 2 05000500050005000500050005000500 restored
          write 1 b40103e103e103e103e1050005000500 restored
          read 2 05000500050005000500050005000500
          read 1 b40103e103e103e103e1050005000500
          open 0 A ffffffffffff
          write 3 a0a1a2a3a4a5787788c1ffffffffffff trailer
          open 0 B ffffffffffff
          open 0 A a0a1a2a3a4a5
          read 3 ????????????787788c1????????????
          """),
    PlanRow(
      "that of a tag as delivered onto an NDEF tag: the message off, the directory's trailer first",
      { () throws(JobFailure) in try plan(tag, blank) },
      gives: """
        open 1 A d3f7d3f7d3f7
        write 4 0300fe0102550461fe… switchOff
        read 4 0300fe0102550461fe…
        open 0 B ffffffffffff
        write 3 ffffffffffffff078069ffffffffffff trailer
        open 0 A ffffffffffff
        read 3 ????????????ff078069ffffffffffff
        write 2 … restored
        write 1 … restored
        read 2 …
        read 1 …
        open 4 B ffffffffffff
        write 19 ffffffffffffff078069ffffffffffff trailer
        open 4 A ffffffffffff
        read 19 ????????????ff078069ffffffffffff
        open 3 B ffffffffffff
        write 15 ffffffffffffff078069ffffffffffff trailer
        open 3 A ffffffffffff
        read 15 ????????????ff078069ffffffffffff
        open 2 B ffffffffffff
        write 11 ffffffffffffff078069ffffffffffff trailer
        open 2 A ffffffffffff
        read 11 ????????????ff078069ffffffffffff
        open 1 A d3f7d3f7d3f7
        write 4 … restored
        read 4 …
        open 1 B ffffffffffff
        write 7 ffffffffffffff078069ffffffffffff trailer
        open 1 A ffffffffffff
        read 7 ????????????ff078069ffffffffffff
        """),
    PlanRow(
      "the tag's own needs nothing, where its key B is known to change the trailers",
      { () throws(JobFailure) in try plan(tag, dump) }, gives: ""),
    PlanRow(
      "a trailer that freezes its sector goes last, and only with the operator's leave",
      { () throws(JobFailure) in try plan(tag, frozen, force: true) },
      gives: anotherMessage + """
        open 3 B ffffffffffff
        write 15 d3f7d3f7d3f7078f0f43ffffffffffff lock
        open 3 B ffffffffffff
        open 3 A d3f7d3f7d3f7
        read 15 ????????????078f0f43????????????
        """),
    PlanRow(
      "without it that trailer stays",
      { () throws(JobFailure) in try plan(tag, frozen) },
      gives: anotherMessage),
    PlanRow(
      "access bits that would destroy a sector",
      { () throws(JobFailure) in
        var bytes = dump.bytes
        bytes[7 * 16 + 6] = 0
        return try plan(
          Mini.delivered, MemoryImage(.classic(.mini), uid: dump.uid, bytes: bytes)!)
      }, isRefused: .badInput),
    PlanRow(
      "a dump of another card",
      { () throws(JobFailure) in
        let bytes = [UInt8?](repeating: nil, count: 1024)
        return try plan(
          Mini.delivered, MemoryImage(.classic(.oneK), uid: dump.uid, bytes: bytes)!)
      }, isRefused: .badInput),
  ]

  /// The steps that replace the message.
  private static let anotherMessage = """
    open 1 A d3f7d3f7d3f7
    write 4 0300fe0102550461fe… switchOff
    read 4 0300fe0102550461fe…
    open 1 A d3f7d3f7d3f7
    write 4 0306d10102550462fe… restored
    read 4 0306d10102550462fe…

    """

  /// A dump with another message, and with sector 3 read-only for good.
  private static let frozen = Mini.image(
    of: Mini.with(Mini.formatted("0306d10102550462fe")) {
      Mini.set(&$0, 3, opener: Mini.nfc, writer: nil, trailer: Mini.lockedTrailer)
    }, keys: Mini.keys)

  private static func plan(_ state: ClassicState, _ image: MemoryImage, force: Bool = false)
    throws(JobFailure) -> TagProgram
  {
    try ClassicRestorePlanner(state: state, job: Restore(image, force: force)).plan().program
  }

  @Test("by the table", arguments: rows) func table(_ row: PlanRow) { row.check() }
}
