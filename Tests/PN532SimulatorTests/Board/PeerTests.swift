import PN532Simulator
import Testing

@Suite("Peers that open the simulated board as they open a real one")
struct PeerTests {
  @Test("nfc-list lists a tag, twice over", .enabled(if: Program.isInstalled("nfc-list")))
  func nfcList() throws {
    let board = SimulatedBoard(field: Field(TestTag.type2()))
    let port = try board.start()
    for _ in 0..<2 {
      let result = try #require(Program("nfc-list")).run(port: port)
      #expect(result.status == 0, "\(result.output)")
      #expect(
        result.output.contains("UID (NFCID1): 04  7f  a9  9a  1f  66  80"), "\(result.output)")
    }
    board.stop()
    #expect(board.path == nil)
  }
}
