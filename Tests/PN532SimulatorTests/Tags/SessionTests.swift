import PN532Simulator
import Testing

@Suite("Virtual tags answer as the sessions in Sessions/ say")
struct SessionTests {
  @Test("MIFARE Classic", arguments: try Session.load("classic"))
  func classic(_ session: Session) throws { try check(session) }

  @Test("Ultralight and NTAG", arguments: try Session.load("type2"))
  func type2(_ session: Session) throws { try check(session) }

  @Test("Type 2 chips beside them", arguments: try Session.load("relatives"))
  func relatives(_ session: Session) throws { try check(session) }

  @Test("Type 4", arguments: try Session.load("type4"))
  func type4(_ session: Session) throws { try check(session) }

  @Test("NTAG 424 DNA", arguments: try Session.load("ntag424"))
  func ntag424(_ session: Session) throws { try check(session) }

  @Test("DESFire", arguments: try Session.load("desfire"))
  func desFire(_ session: Session) throws { try check(session) }

  @Test("Topaz", arguments: try Session.load("topaz"))
  func topaz(_ session: Session) throws { try check(session) }

  @Test("FeliCa Lite and Lite-S", arguments: try Session.load("felica"))
  func felica(_ session: Session) throws { try check(session) }

  private func check(_ session: Session) throws {
    #expect(session.lines.count > 1)
    try session.run { line, answer in
      let command = line.words.joined(separator: " ")
      let expected = line.expected.joined(separator: " ")
      Issue.record("line \(line.number), \(command): \(answer), not \(expected)")
    }
  }
}
