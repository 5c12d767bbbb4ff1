import Bytes
import Testing
import Traces

@Suite("Boards that answer from a trace")
struct ReplayTests {
  private static let tag = "0101004400070479373a9e6c80"
  private static let pages = "00aabbccdd11223344556677889900ffee"
  private static let look = (command: "4a0200", answer: tag)
  private static let read4 = (command: "40013004", answer: pages)
  private static let read8 = (
    command: "40013008", answer: "00" + String(repeating: "0b", count: 16)
  )
  private static let write4 = (command: "4001a20403030303", answer: "00")
  private static let write5 = (command: "4001a20504040404", answer: "00")

  private func board(_ exchanges: (command: String, answer: String)...) throws -> ReplayBoard {
    ReplayBoard(try session(trace(exchanges)))
  }

  /// The answer in hexadecimal; nil where the trace does not say.
  private func ask(_ board: inout ReplayBoard, _ command: String) throws -> String? {
    switch board.answer(try Hex.bytes(command)) {
    case .answer(let bytes, _): Hex.string(bytes)
    case .notRecorded: nil
    case let other: "\(other)"
    }
  }

  @Test("answer in the trace's order as then, and leave out what only looked")
  func order() throws {
    var board = try board(Self.look, Self.read4, Self.read8, Self.write4)
    #expect(try ask(&board, "4a0200") == Self.tag)
    #expect(try ask(&board, "40013008") == Self.read8.answer)
    #expect(try ask(&board, "4001a20403030303") == "00")
    #expect(board.counts.asRecorded == 3)
  }

  @Test("show a page as it was read, and after a write as it was written")
  func memory() throws {
    var board = try board(Self.look, Self.read4, Self.read8, Self.write4, Self.write5)
    #expect(try ask(&board, "4a0200") == Self.tag)
    #expect(try ask(&board, "3a0405".replacing("3a", with: "423a")) == "00aabbccdd11223344")
    #expect(try ask(&board, "4001a20403030303") == "00")
    #expect(try ask(&board, "423a0405") == "000303030311223344")
    #expect(try ask(&board, "4001a20504040404") == "00")
    #expect(try ask(&board, "423a0405") == "000303030304040404")
    #expect(board.counts.derived == 3)
  }

  @Test(
    "say that a trace does not say",
    arguments: [
      // Another page, another value, another write; one behind a READ's end; a command unknown.
      "40013010", "4001a20403030304", "4001a20603030303", "42390200", "40013009", "421b01020304",
    ])
  func unknown(command: String) throws {
    var board = try board(Self.look, Self.read4, Self.read8, Self.write4)
    _ = try ask(&board, "4a0200")
    #expect(try ask(&board, command) == nil)
    let divergence = try #require(board.divergence)
    #expect(Hex.string(divergence.command) == command)
    #expect(divergence.number == 2)
    // Nothing is known behind that, not even what the trace has.
    #expect(try ask(&board, "40013004") == nil)
  }

  @Test("one write fewer, and another order, are named where the next write comes")
  func plans() throws {
    for commands in [["4001a20504040404"], ["4001a20504040404", "4001a20403030303"]] {
      var board = try board(Self.look, Self.write4, Self.write5)
      _ = try ask(&board, "4a0200")
      #expect(try ask(&board, commands[0]) == nil)
      #expect(board.divergence?.number == 2)
      #expect(board.divergence?.next?.plainCommand == (try Hex.bytes(Self.write4.command)))
    }
  }

  @Test("a tag that was lost is not read from what is known of it")
  func lost() throws {
    var board = try board(Self.look, Self.read4, ("40013080", "13"), Self.look, Self.read4)
    _ = try ask(&board, "4a0200")
    #expect(try ask(&board, "40013004") == Self.pages)
    #expect(try ask(&board, "40013080") == "13")
    #expect(try ask(&board, "40013005") == nil)
  }

  @Test("only tags that the trace shows lie there; the field, the line and the chip are a board's")
  func looks() throws {
    var board = try board(Self.look, Self.read4)
    #expect(try ask(&board, "4a020300") == "00")
    #expect(try ask(&board, "4a01008804" + "79373a9e6c80") == Self.tag)
    #expect(try ask(&board, "4a010008010203") == "00")
    #expect(try ask(&board, "320101") == "board")
    #expect(try ask(&board, "02") == "board")
    #expect(try ask(&board, "1006") == "board")
  }

  @Test("masked passwords: any is taken, the acknowledge is what was written, and it is said")
  func password() throws {
    var board = try board(
      Self.look, ("4001a22b********", "00"), ("4001a22c********", "00"), ("421b********", "00****"))
    _ = try ask(&board, "4a0200")
    #expect(try ask(&board, "4001a22b01020304") == "00")
    #expect(try ask(&board, "4001a22ccafe0000") == "00")
    #expect(try ask(&board, "421b01020304") == "00cafe")
    #expect(!board.standInUses.isEmpty)
    // Another password than the one that was taken for the trace's: nobody knows.
    #expect(try ask(&board, "421b05060708") == nil)
  }

  @Test("what is masked stays masked, and a log's passwords are masked by their pages")
  func secrets() throws {
    let text = trace([
      ("4001600 7d3f7d3f7d3f701020304".replacing(" ", with: ""), "00"),
      ("4001a007a0a1a2a3a4a5ff078069b0b1b2b3b4b5", "00"), ("421b01020304", "00cafe"),
      ("4001a22b01020304", "00"), ("4001a20401020304", "00"),
    ])
    let masked = try session(text).exchanges.map {
      FrameSecrets.maskedThoroughly($0, isClassic: true)
    }
    #expect(
      masked.map { MaskedBytes.text($0.command) } == [
        "40016007************01020304", "4001a007************ff078069************",
        "421b********", "4001a22b********", "4001a20401020304",
      ])
    #expect(MaskedBytes.text(masked[2].answer ?? []) == "00****")
  }

  @Test("two runs part where they differ, whatever the time and however long a tag was awaited")
  func comparison() throws {
    let first = try session(trace([("4a0200", "00"), Self.look, Self.read4, Self.write4]))
    let same = try session(trace([Self.look, Self.read4, Self.write4]))
    let other = try session(trace([Self.look, Self.read4, Self.write5]))
    let short = try session(trace([Self.look, Self.read4]))
    #expect(TraceComparison(first, same).difference == nil)
    let parted = TraceComparison(first, other)
    #expect(parted.difference == .command)
    #expect((parted.firstPlace, parted.secondPlace) == (4, 3))
    #expect(TraceComparison(first, short).difference == .end)
  }

  @Test("rows have words, statuses and marks")
  func reading() throws {
    let rows = TraceReading(
      try session(
        trace([Self.look, Self.read4, ("40013080", "13"), ("40013004", "00"), ("320100", "")]))
    ).rows
    #expect(
      rows.map(\.meaning) == [
        "look for up to 2 tags of type A", "READ page 4", "READ page 128", "READ page 4",
        "field off",
      ])
    #expect(rows.map(\.isError) == [false, false, true, false, false])
    #expect(rows.map { !$0.oddities.isEmpty } == [false, false, true, true, false])
    #expect(rows[1].tag == "0479373a9e6c80")
    #expect(rows[4].tag == nil)
  }
}
