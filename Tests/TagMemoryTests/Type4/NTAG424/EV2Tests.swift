import Bytes
import Testing

@testable import TagMemory

/// Vectors of AN12196, revision 1.8, by their tables.
@Suite("NTAG 424 DNA: authentication and secure messaging")
struct EV2Tests {
  private func authenticated(
    _ number: UInt8, challenge: String, card: String, token: String?, proof: String
  ) throws -> EV2Session? {
    var authentication = EV2Authentication(
      key: AESKey.delivered.bytes, number: number, challenge: try Hex.bytes(challenge))
    #expect(authentication.start.bytes == [0x71, number, 0x00])
    let answer = try #require(authentication.answer(to: try Hex.bytes(card)))
    if let token { #expect(answer.bytes == [0xAF] + (try Hex.bytes(token))) }
    return authentication.session(from: try Hex.bytes(proof))
  }

  @Test("table 14: key 0 opens a session, and table 18 writes in it")
  func first() throws {
    var session = try #require(
      try authenticated(
        0, challenge: "13C5DB8A5930439FC3DEF9A4C675360F",
        card: "A04C124213C186F22399D33AC2A30215",
        token: "35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D",
        proof: "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120663"))
    #expect(
      session
        == EV2Session(
          keyNumber: 0, encryption: try Hex.bytes("1309C877509E5A215007FF0ED19CA564"),
          authentication: try Hex.bytes("4C6626F5E72EA694202139295C7A7FC7"),
          transaction: try Hex.bytes("9D00C4DF")))
    // Table 19 follows a write: its counter is 1.
    #expect(session.opened(try Hex.bytes("FC222E5F7A542452"), .mac) == [])
    #expect(session.counter == 1)
    let change = DESFireCommand(0x5F, try Hex.bytes("024000E0C1F121200000430000430000"))
    #expect(
      session.wrapped(change, header: 1, .full).apdu.serialize()
        == (try Hex.bytes("905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400")))
    #expect(session.opened(try Hex.bytes("57BFF87B1241E93D"), .full) == [])
  }

  @Test("a card that proves the wrong challenge, or answers too few bytes, opens nothing")
  func wrongProof() throws {
    let proof = "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120664"
    #expect(
      try authenticated(
        0, challenge: "13C5DB8A5930439FC3DEF9A4C675360F",
        card: "A04C124213C186F22399D33AC2A30215", token: nil, proof: proof) == nil)
    var authentication = EV2Authentication(
      key: AESKey.delivered.bytes, number: 0, challenge: AESKey.delivered.bytes)
    #expect(authentication.session(from: [UInt8](repeating: 0, count: 32)) == nil)
    #expect(authentication.answer(to: [1, 2, 3]) == nil)
  }

  @Test("table 8: a code proves GetFileSettings and its answer; one bit more does not")
  func code() throws {
    var session = EV2Session(
      keyNumber: 0, encryption: AESKey.delivered.bytes,
      authentication: try Hex.bytes("8248134A386E86EB7FAF54A52E536CB6"),
      transaction: try Hex.bytes("7A21085E"))
    let command = session.wrapped(.getFileSettings(2), header: 1, .mac)
    #expect(command.data == [0x02] + (try Hex.bytes("6597A457C8CD442C")))
    let data = try Hex.bytes("0040EEEE000100D1FE001F00004400004400002000006A0000")
    var answer = data + (try Hex.bytes("2A474282E7A47986"))
    var other = session
    #expect(session.opened(answer, .mac) == data)
    answer[3] ^= 1
    #expect(other.opened(answer, .mac) == nil)
  }

  @Test("tables 20, 24 and 26: another key within the session, then ChangeKey of key 2")
  func nonFirst() throws {
    var third = EV2Session(
      keyNumber: 3, encryption: try Hex.bytes("7A93D6571E4B180FCA6AC90C9A7488D4"),
      authentication: try Hex.bytes("FC4AF159B62E549B5812394CAB1918CC"),
      transaction: try Hex.bytes("7614281A"))
    let write = DESFireCommand(
      0x8D, try Hex.bytes("030000000A00000102030405060708090A"))
    #expect(
      third.wrapped(write, header: 7, .full).apdu.serialize()
        == (try Hex.bytes(
          "908D00001F030000000A00006B5E6804909962FC4E3FF5522CF0F8436C0C53315B9C73AA00")))

    var session = EV2Session(
      keyNumber: 0, encryption: try Hex.bytes("4CF3CB41A22583A61E89B158D252FC53"),
      authentication: try Hex.bytes("5529860B2FC5FB6154B7F28361D30BF9"),
      transaction: try Hex.bytes("7614281A"), counter: 2)
    let new = try #require(AESKey(try Hex.bytes("F3847D627727ED3BC9C4CC050489B966")))
    let change = DESFireCommand.changeKey(2, from: .delivered, to: new, version: 1)
    #expect(change.data.suffix(4) == (try Hex.bytes("789DFADC"))[...])
    #expect(
      session.wrapped(change, header: 1, .full).apdu.serialize()
        == (try Hex.bytes(
          "90C4000029022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E600"
        )))
    #expect(session.opened(try Hex.bytes("203BB55D1089D587"), .full) == [])
    let master = try #require(AESKey(try Hex.bytes("5004BF991F408672B1EF00F08F9E8647")))
    #expect(
      session.wrapped(
        .changeKey(0, from: .delivered, to: master, version: 1), header: 1, .full
      ).apdu.serialize()
        == (try Hex.bytes(
          "90C400002900C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED643200"
        )))
  }

  @Test("table 24: NonFirst keeps TI and counter")
  func nonFirstKeys() throws {
    let before = EV2Session(
      keyNumber: 3, encryption: AESKey.delivered.bytes, authentication: AESKey.delivered.bytes,
      transaction: try Hex.bytes("7614281A"), counter: 2)
    let challenge = try Hex.bytes("60BE759EDA560250AC57CDDC11743CF6")
    var authentication = EV2Authentication(
      key: AESKey.delivered.bytes, number: 0, challenge: challenge, continuing: before)
    #expect(authentication.start.bytes == [0x77, 0x00])
    _ = try #require(
      authentication.answer(to: try Hex.bytes("A6A2B3C572D06C097BB8DB70463E22DC")))
    let proof = AESKey.delivered.encrypted(Array(challenge[1...] + challenge[..<1]))
    #expect(
      authentication.session(from: proof)
        == EV2Session(
          keyNumber: 0, encryption: try Hex.bytes("4CF3CB41A22583A61E89B158D252FC53"),
          authentication: try Hex.bytes("5529860B2FC5FB6154B7F28361D30BF9"),
          transaction: try Hex.bytes("7614281A"), counter: 2))
  }

  @Test("tables 28 and 29: a random UID, and the true one in a session")
  func cardUID() throws {
    var session = EV2Session(
      keyNumber: 0, encryption: try Hex.bytes("7951A705F47F3C29B596454DC1490383"),
      authentication: try Hex.bytes("FE4EDBF46536557E304682F33E63A84F"),
      transaction: try Hex.bytes("D779B1D0"))
    #expect(
      session.wrapped(.useRandomUID, header: 1, .full).apdu.serialize()
        == (try Hex.bytes("905C000019008EA0138A7AF6FC8E99DF2A3A305602C43A7A3C9228C3134A00")))
    var other = EV2Session(
      keyNumber: 0, encryption: try Hex.bytes("2B4D963C014DC36F24F69A50A394F875"),
      authentication: try Hex.bytes("379D32130CE61705DD5FD8C36B95D764"),
      transaction: try Hex.bytes("DF055522"))
    #expect(
      other.wrapped(.getCardUID, header: 0, .full).apdu.serialize()
        == (try Hex.bytes("90510000088E2C155ADDA99BE300")))
    let answer = try Hex.bytes("70756055688505B52A5E26E59E329CD6595F672298EA41B7")
    #expect(other.opened(answer, .full) == (try Hex.bytes("04958CAA5C5E80")))
  }

  @Test("no text of a key, a session or an authentication shows its bytes")
  func secrecy() throws {
    let key = try #require(AESKey([UInt8](0..<16)))
    let ring = KeyRing(.an10922(master: key, name: []))
    let session = EV2Session(
      keyNumber: 0, encryption: key.bytes, authentication: key.bytes, transaction: [1, 2, 3, 4])
    for text in [
      "\(key)", String(reflecting: key), "\(ring)", String(reflecting: ring), "\(session)",
    ] {
      #expect(!text.contains("11, 12, 13") && !text.lowercased().contains("0b0c0d"))
    }
  }
}

extension AESKey {
  /// CBC with zeros, as inside an authentication.
  func encrypted(_ bytes: [UInt8]) -> [UInt8] {
    var session = EV2Authentication(
      key: self.bytes, number: 0, challenge: Array(bytes.prefix(16)))
    _ = session.answer(to: [UInt8](repeating: 0, count: 16))
    return Array(session.answer(to: [UInt8](repeating: 0, count: 16))?.data.prefix(16) ?? [])
  }
}
