import Bench
import Line
import Testing

@Suite("The readers of a line")
struct LineReadersTests {
  private static let board = "pn532_uart:/dev/ttyUSB7"

  @Test("tags of simulated readers with one name are different tags")
  func differentTags() throws {
    let readers = try LineReaders(named: ["sim:ntag213*2", "sim:ntag213*2"])
    #expect(readers.count == 2 && readers.areSimulated)
    #expect(readers.choices[0].choice != readers.choices[1].choice)
  }

  @Test("a board is no two stations")
  func namedTwice() {
    let failure = #expect(throws: BenchError.self) {
      try LineReaders(named: [Self.board, "sim:ntag213", Self.board])
    }
    #expect(failure?.code == .usage && failure?.reason.contains(Self.board) == true)
  }

  @Test("a station's board is not the inspector's")
  func inspector() throws {
    var readers = try LineReaders(named: [Self.board])
    let failure = #expect(throws: BenchError.self) { try readers.inspect(on: Self.board) }
    #expect(failure?.code == .usage && readers.inspector == nil)
    try readers.inspect(on: "sim:ntag213")
    #expect(readers.inspector?.name == "sim:ntag213" && !readers.areSimulated)
  }
}
