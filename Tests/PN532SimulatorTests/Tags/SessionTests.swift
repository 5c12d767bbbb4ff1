import PN532Simulator
import Testing

@Suite("Virtual tags answer as the sessions in Sessions/ say")
struct SessionTests {
  @Test("MIFARE Classic", arguments: try Session.load("classic"))
  func classic(_ session: Session) throws { try check(session) }

  @Test("Ultralight and NTAG", arguments: try Session.load("type2"))
  func type2(_ session: Session) throws { try check(session) }

  private func check(_ session: Session) throws {
    #expect(!session.lines.isEmpty)
    try session.run { line, answer in
      Issue.record(
        "line \(line.number), \(line.words.joined(separator: " ")): \(answer), not \(line.expected ?? "nothing")"
      )
    }
  }
}
