import Bench
import TagMemory
import Testing

@testable import nfcprog

@Suite("Values on the command line")
struct ArgumentTests {
  @Test("records keep the order of their options")
  func order() {
    let arguments = [
      "write", "--text", "a", "--uri=https://x/", "--json", "--text=--uri", "--ndef", "f",
    ]
    #expect(
      RecordOrder.names(of: ["text", "uri", "ndef"], in: arguments) == [
        "text", "uri", "text", "ndef",
      ])
  }

  @Test("a key file holds one key a line, with comments and empty lines")
  func keyFile() throws {
    let text = "# bench\nA0A1A2A3A4A5\n\n  ff:ff:ff:ff:ff:ff  # all\n"
    #expect(try Secret.keys(inFile: text) == [.classic(.mad), .classic(.factory)])
  }

  @Test("a line that is no key is named by its number")
  func badKeyFile() {
    #expect(throws: KeyFileError(line: 2)) { try Secret.keys(inFile: "FFFFFFFFFFFF\nFFFF\n") }
  }

  @Test("a progress bar shows how far it has come")
  func bar() {
    #expect(ProgressLine.bar(0, of: 0) == "[····················] 0/0 ")
    #expect(ProgressLine.bar(5, of: 10) == "[##########··········] 5/10 ")
    #expect(ProgressLine.bar(10, of: 10) == "[####################] 10/10 ")
  }
}
