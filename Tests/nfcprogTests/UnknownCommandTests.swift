import Testing

@testable import nfcprog

@Suite("A command that does not exist")
struct UnknownCommandTests {
  private static let names = NFCProg.configuration.subcommands.map { $0._commandName }

  @Test(
    "the one that was meant is named",
    arguments: [
      ("write-ulr", "write-url"), ("wrte-url", "write-url"), ("writeurl", "write-url"),
      ("inof", "info"), ("Info", "info"), ("raed", "read"), ("provison", "provision"),
      ("check-lnik", "check-link"), ("lint-asaa", "lint-aasa"),
    ])
  func near(_ word: String, meant: String) {
    let sentence = UnknownCommand.sentence([word, "x"], names: Self.names)
    #expect(sentence == "No command \(word). Did you mean \(meant)?")
  }

  @Test(
    "what is like none is not guessed at", arguments: ["frobnicate", "xyz", "https://a.example/"])
  func far(_ word: String) {
    #expect(
      UnknownCommand.sentence([word], names: Self.names)
        == "No command \(word). nfcprog --help lists the commands.")
  }

  @Test("a command, an option and help are none of these")
  func known() {
    for name in Self.names + ["help", "--version", "-h"] {
      #expect(UnknownCommand.sentence([name], names: Self.names) == nil)
    }
    #expect(UnknownCommand.sentence([], names: Self.names) == nil)
  }
}
