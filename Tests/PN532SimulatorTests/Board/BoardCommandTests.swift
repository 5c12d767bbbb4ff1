import PN532
import PN532Simulator
import Testing

@Suite("Commands to the board itself, UM0701-02 7.2")
struct BoardCommandTests {
  @Test(
    "are answered as the manual says",
    arguments: [
      ("02", "0332010607"), ("00006c69626e6663", "01006c69626e6663"), ("0001", "0100"),
      ("0002", "0100"), ("000410", "0180"), ("000700", "0100"), ("0006", "0127"),
      ("0005000000", "pending"), ("04", "0500000080"), ("0c", "0d3f0700"), ("0e8080", "0f"),
      ("1214", "13"), ("320102", "33"), ("3202000b0a", "33"), ("320400", "33"),
      ("3205000102", "33"), ("320a59f43f114d85616f266287", "33"), ("320b69ff3f114185616f", "33"),
      ("320cff0485", "33"), ("320d85158a8508b28501da", "33"), ("5200", "5300"), ("4400", "4500"),
      ("4401", "4527"), ("5201", "5327"), ("5401", "5527"), ("40013000", "4127"),
      ("5800", "pending"),
      ("8a", "8b0000"), ("86", "8727"), ("4e010202", "4f27"), ("500100", "5101"),
      ("560001 00", "pending"), ("460001 00", "pending"),
    ])
  func answers(_ command: String, _ answer: String) {
    #expect(Bench().ask(command.replacing(" ", with: "")) == answer)
  }

  @Test(
    "unknown codes and wrong parameters get the error frame",
    arguments: [
      "", "18", "38", "ff", "0200", "0400", "00", "0003", "0006ff", "06", "0663", "066302 63", "08",
      "086302", "0c00", "0e", "10", "1009", "100400", "12", "121400", "16", "16f00101", "32",
      "3201",
      "32010100", "320200", "3202000b11", "320300", "320500", "4a", "4a01", "4a0000", "4a0300",
      "4a0105", "4a010001", "4a010088", "4a0101", "4a01018040ce662f", "4a0103", "4a010400", "40",
      "44", "4400 01", "52", "54", "60", "60010100 00000000000000000000000000000000", "8c00",
      "5600",
    ])
  func syntaxErrors(_ command: String) {
    #expect(Bench(TestTag.type2()).ask(command.replacing(" ", with: "")) == "syntax error")
  }

  @Test("every command code is known to the chip")
  func allCodes() {
    for code in CommandCode.allCases {
      let bench = Bench()
      // With some number of parameters each of them is taken.
      let outcomes = (0...40).map { count in
        bench.chip.process(
          command: [code.rawValue]
            + [UInt8](repeating: code == .samConfiguration ? 1 : 0, count: count))
      }
      let needsMore: Set<CommandCode> = [.inListPassiveTarget, .inAutoPoll, .rfConfiguration]
      #expect(needsMore.contains(code) || outcomes.contains { $0 != .syntaxError }, "\(code)")
    }
  }

  @Test("registers keep what is written, one byte for each address read")
  func registers() {
    let bench = Bench()
    #expect(bench.ask("06630263036338") == "07000000")
    #expect(bench.ask("08630280630380633810") == "09")
    #expect(bench.ask("06630263036338") == "07808010")
  }

  @Test("GetGeneralStatus tells the last error and the selected tags")
  func generalStatus() throws {
    let bench = Bench(TestTag.classic())
    #expect(bench.ask("4a0100").hasPrefix("4b01"))
    #expect(bench.ask("40016004000000000000278b7034") == "4114")
    guard case .answer(let bytes) = bench.chip.process(command: [0x04]) else {
      Issue.record("no answer")
      return
    }
    let status = try GeneralStatus(parsing: bytes.dropFirst())
    #expect(status.lastError == .authentication)
    #expect(status.targets.map(\.number) == [1])
  }
}
