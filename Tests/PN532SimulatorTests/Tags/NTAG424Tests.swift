import Bytes
import CardCrypto
import TagMemory
import Testing

@testable import PN532Simulator

@Suite("A virtual NTAG 424 DNA keeps its keys and proves itself")
struct NTAG424Tests {
  private static let uid: [UInt8] = [0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40]
  private let host = NTAG424Host(VirtualNTAG424(.all[0], uid: Self.uid))
  private let keys = (0..<5).map {
    AESKey([UInt8](repeating: 0x11 * ($0 + 1), count: 16)) ?? .delivered
  }

  @Test("AN12196, table 14: the tag's part of an authentication")
  func vector() throws {
    let cryptogram = try Hex.bytes("A04C124213C186F22399D33AC2A30215")
    let challenge = AES128(key: AESKey.delivered.bytes).decrypt(cryptogram, iv: AES128.zero)
    host.tag.generator = ScriptedBytes(bytes: challenge + [0x9D, 0x00, 0xC4, 0xDF])
    let first = host.send(try Hex.bytes("9071000002000000"))
    #expect(first.data == cryptogram && first.status.value == 0x91AF)
    let last = host.send(
      try Hex.bytes(
        "90AF00002035C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D00"))
    #expect(
      last.data
        == (try Hex.bytes("3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120663")))
    #expect(last.status.value == 0x9100)
    // GetFileSettings goes first, so that the counter is 1; then table 19.
    let session = EV2Session(
      keyNumber: 0, encryption: try Hex.bytes("1309C877509E5A215007FF0ED19CA564"),
      authentication: try Hex.bytes("4C6626F5E72EA694202139295C7A7FC7"),
      transaction: try Hex.bytes("9D00C4DF"))
    host.session = session
    #expect(host.perform(.getFileSettings(2), header: 1, .mac).data?.count == 7)
    let changed = host.send(
      try Hex.bytes("905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400"))
    #expect(changed.data == (try Hex.bytes("57BFF87B1241E93D")) && changed.status.value == 0x9100)
  }

  @Test(
    "NT4H2421Gx, tables 86, 89 and 92: in the middle of a native command, ISO's are out of turn",
    arguments: [["9060000000"], ["9060000000", "90AF000000"], ["9071000002000000"]])
  func inTheMiddle(begun: [String]) throws {
    for command in ["00A4040007D276000085010100", "00A4000C02E104", "00B0000010", "00D600000101"] {
      host.open()
      for frame in begun { #expect(host.send(try Hex.bytes(frame)).status.value == 0x91AF) }
      for _ in 0..<2 { #expect(host.send(try Hex.bytes(command)).status.value == 0x6985) }
      #expect(host.send(try Hex.bytes("90640000010000")).status.value == 0x91CA)
      host.open()
      #expect(host.send(try Hex.bytes("00A4040007D276000085010100")).status.value == 0x9000)
    }
  }

  @Test(
    "AN12321, tables 2 and 3: LRP is turned on, and the tag's part of an authentication with it")
  func leakageResilientVector() throws {
    let card = try Hex.bytes("56109A31977C855319CD4618C9D2AED2")
    #expect(host.authenticate(0, .delivered) == 0)
    let turned = host.perform(.useLRP, header: 1, .full)
    #expect(turned.status == 0 && turned.data == nil, "no code stands behind the answer")
    host.open()
    #expect(host.send(try Hex.bytes("9071000002000000")).status.value == 0x919D)
    host.tag.generator = ScriptedBytes(bytes: card + [0x58, 0xEE, 0x94, 0x24])
    let first = host.send(try Hex.bytes("9071000008030602000000000000"))
    #expect(first.data == [0x01] + card && first.status.value == 0x91AF)
    let last = host.send(
      try Hex.bytes(
        "90AF00002074D7DF6A2CEC0B72B412DE0D2B1117E6189B59DCEDC31A3D3F38EF8D4810B3B400"))
    #expect(
      last.data
        == (try Hex.bytes("F4FC209D9D60623588B299FA5D6B2D710125F8547D9FB8D572C90D2C2A14E235")))
    #expect(last.status.value == 0x9100)
    // A wrong answer is counted, and opens nothing.
    host.open()
    _ = host.send(try Hex.bytes("9071000008030602000000000000"))
    let wrong = host.send(
      try Hex.bytes(
        "90AF00002074D7DF6A2CEC0B72B412DE0D2B1117E6189B59DCEDC31A3D3F38EF8D4810B3B500"))
    #expect(wrong.status.value == 0x91AE && host.tag.registers.failures[3] == 1)
  }

  @Test("keys change with the master key alone, a wrong old key changes nothing, and versions tell")
  func changeKeys() {
    #expect(host.change(1, from: .delivered, to: keys[1]) == 0xAE)
    #expect(host.authenticate(1, .delivered) == 0)
    #expect(host.change(1, from: .delivered, to: keys[1]) == 0xAE)
    #expect(host.authenticate(0, .delivered) == 0)
    #expect(host.change(1, from: keys[2], to: keys[1]) == 0x1E)
    #expect(host.authenticate(0, .delivered) == 0)
    for number in 1...4 {
      #expect(host.change(UInt8(number), from: .delivered, to: keys[number], version: 7) == 0)
    }
    #expect(host.perform(.getKeyVersion(3), header: 1, .mac).data == [7])
    let before = host.session
    #expect(host.authenticate(2, keys[2], within: before) == 0)
    #expect(host.session?.counter == before?.counter)
    #expect(host.authenticate(0, .delivered) == 0)
    // The session ends, without a code.
    let last = host.send(
      host.session!.wrapped(
        .changeKey(0, from: .delivered, to: keys[0], version: 7), header: 1, .full))
    #expect(last.status.value == 0x9100 && last.data.isEmpty)
    host.session = nil
    #expect(host.perform(.getKeyVersion(0), header: 1, .plain).data == [7])
    #expect(host.authenticate(0, .delivered) == 0xAE && host.authenticate(0, keys[0]) == 0)
  }

  @Test("after fifty wrong keys in a row the tag makes the host wait, and a right one ends that")
  func delays() {
    for _ in 0..<50 { #expect(host.authenticate(0, keys[0]) == 0xAE) }
    #expect(host.authenticate(0, .delivered) == 0xAD)
    #expect(host.authenticate(0, .delivered) == 0)
    #expect(host.tag.registers.failures[0] == 40 && host.authenticate(0, keys[0]) == 0xAE)
    host.tag.registers.failures[0] = 1000
    host.tag.registers.failuresInARow[0] = 0
    #expect(host.authenticate(0, .delivered) == 0xAE)
  }

  @Test(
    "a damaged code, a frame out of turn or another command number is refused and ends the session")
  func integrity() {
    #expect(host.authenticate(0, .delivered) == 0)
    var session = host.session!
    var wrapped = session.wrapped(.getFileCounters(2), header: 1, .full).apdu.serialize()
    wrapped[7] ^= 1
    #expect(host.send(wrapped).status.value == 0x911E)
    let late = session.wrapped(.getCardUID, header: 0, .full)
    #expect(host.send(late).status.sw2 != 0)
    #expect(host.send(.getCardUID).status.value == 0x91AE)
  }

  /// Two sets of rules, written apart.
  @Test("the tag takes just the settings that the library's rules allow")
  func rules() throws {
    var generator = SplitMix64(state: 7)
    var taken = 0
    for round in 0..<3000 {
      func any(_ values: [Int?]) -> Int? { values.randomElement(using: &generator) ?? nil }
      let keys = [0, 1, 2, 3, 4, 0xE, 0xF, 5]
      var settings = SDMSettings(
        metaRead: UInt8(keys.randomElement(using: &generator)!),
        fileRead: UInt8([0, 2, 4, 0xF, 0xE].randomElement(using: &generator)!),
        counterRetrieval: UInt8(keys.randomElement(using: &generator)!))
      func place() -> Int { Int.random(in: 2...(round % 2 == 0 ? 260 : 200), using: &generator) }
      settings.mirrorsUID = Bool.random(using: &generator)
      settings.mirrorsCounter = Bool.random(using: &generator)
      if settings.metaRead == 0xE {
        settings.uid = settings.mirrorsUID ? place() : nil
        settings.counter = settings.mirrorsCounter ? any([place(), nil]) : nil
      } else if settings.metaRead < 5 {
        settings.picc = place()
      }
      if settings.fileRead != 0xF {
        settings.code = place()
        settings.codeInput = any([place(), settings.code, 2])
        if round % 3 == 0 {
          let start = place()
          settings.encrypted = start..<start + [32, 64, 16].randomElement(using: &generator)!
        }
      }
      if round % 5 == 0 { settings.limit = any([1, 0, 500]) }
      let fault = Result { () throws(SDMError) in try settings.check(fileByteCount: 256) }
      // What serves nobody is refused here; whether a tag would is not known.
      if case .failure(.nothingMirrored) = fault { continue }
      let allowed = (try? fault.get()) != nil
      if host.session == nil { #expect(host.authenticate(0, .delivered) == 0) }
      let command = DESFireCommand.changeFileSettings(
        2, to: NTAG424FileSettings(.plain, DESFireRights(0xEEE0), mirror: settings))
      let status = host.perform(command, header: 1, .full).status
      #expect(status == (allowed ? 0 : 0x9E), "\(settings)")
      if allowed { taken += 1 }
    }
    #expect(taken > 100)
  }

  private func personalise(_ template: String) throws -> SDMSettings {
    let (text, input) = try SDMTemplate.expand(template)
    let message =
      [0xD1, 0x01, UInt8(text.utf8.count - 7), 0x55, 0x04] + Array(text.utf8.dropFirst(8))
    let ring = KeyRing(.fixed(keys))
    let settings = try #require(
      try SDMSettings(message: message, codeInput: input, keys: ring))
    let file = [0x00, UInt8(message.count)] + message
    _ = host.send(DESFireCommand(0x8D, [2, 0, 0, 0, UInt8(file.count), 0, 0] + file))
    #expect(host.authenticate(0, .delivered) == 0)
    for number in 1...4 {
      #expect(host.change(UInt8(number), from: .delivered, to: keys[number]) == 0)
    }
    let command = DESFireCommand.changeFileSettings(
      2, to: NTAG424FileSettings(.plain, DESFireRights(0xE000), mirror: settings))
    #expect(host.perform(command, header: 1, .full).status == 0)
    return settings
  }

  @Test(
    "what is read proves the tag, and counts",
    arguments: [
      "https://a.example/t?e={picc}&c={mac}", "https://a.example/t?u={uid}&n={counter}&c={mac:uid}",
      "https://a.example/t?e={picc}&d={enc:hello-world.and-more}&c={mac}",
      "https://a.example/{counter}/{mac:example}", "https://a.example/t?u={uid}",
    ])
  func proof(template: String) throws {
    let settings = try personalise(template)
    let ring = KeyRing(.fixed(keys))
    for count in 1...3 {
      let file = host.readFile().data
      let parts = try #require(SUNParts(file: file, settings))
      guard settings.code != nil else {
        #expect(parts.uid == Self.uid)
        continue
      }
      let proof = try SUNProof(parts, keys: ring)
      #expect(proof.counter ?? count == count && proof.uid ?? UID(Self.uid) == UID(Self.uid))
      if settings.encrypted != nil {
        #expect(proof.fileData == Array("hello-world.and-more~~~~~~~~~~~~".utf8))
      }
      var wrong = parts
      wrong.code?[0] ^= 1
      #expect(throws: SUNError.wrongCode) { try SUNProof(wrong, keys: ring) }
    }
    // A chain of readings is one.
    host.open()
    _ = host.send([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04])
    let parts = (0..<8).flatMap { host.send([0x00, 0xB0, 0x00, 32 * $0, 32]).data }
    #expect(host.tag.registers.readings == 4 && SUNParts(file: parts, settings) != nil)
    // Whoever has authenticated reads what is stored.
    #expect(host.authenticate(0, .delivered) == 0)
    // Where no counter is shown, nobody may ask for it (NT4H2421Tx, table 71).
    let asked = host.perform(.getFileCounters(2), header: 1, .full)
    if settings.mirrorsCounter {
      #expect(asked.data == [4, 0, 0, 0, 0])
    } else {
      #expect(asked.status == 0x9D)
      #expect(host.authenticate(0, .delivered) == 0)
    }
    let stored = host.perform(
      DESFireCommand(0xAD, [2, 0, 0, 0, 0, 0, 0]), header: 7, .plain
    ).data
    #expect(stored.map { SUNParts(file: $0, settings) } == .some(nil))
    _ = host.readFile()
    #expect(host.send([0x00, 0xD6, 0, 0, 1, 0]).status.value == 0x6982)
  }

  @Test("at its limit the message is not read any more")
  func limit() {
    var settings = SDMSettings(metaRead: 0xE, fileRead: 0xF, counterRetrieval: 0xE)
    (settings.mirrorsCounter, settings.counter, settings.limit) = (true, 10, 2)
    #expect(host.authenticate(0, .delivered) == 0)
    let command = DESFireCommand.changeFileSettings(
      2, to: NTAG424FileSettings(.plain, DESFireRights(0xEEE0), mirror: settings))
    #expect(host.perform(command, header: 1, .full).status == 0)
    #expect([1, 2, 3].map { _ in host.readFile().status.value } == [0x9000, 0x9000, 0x6982])
    host.open()
    #expect(host.perform(.getFileCounters(2), header: 1, .plain).data == [2, 0, 0, 0, 0])
  }

  @Test("a random UID stays random, and a session tells the true one")
  func randomUID() {
    #expect(host.authenticate(0, .delivered) == 0)
    #expect(host.perform(.useRandomUID, header: 1, .full).status == 0)
    host.open()
    #expect(host.tag.uid.count == 4 && host.tag.uid[0] == 0x08 && host.tag.atqa == 0x0304)
    #expect(host.perform(.readSignature, header: 1, .plain).status == 0xAE)
    #expect(host.authenticate(3, .delivered) == 0)
    #expect(host.perform(.getCardUID, header: 0, .full).data == Self.uid)
    #expect(host.tag.storedUID == Self.uid)
  }

  @Test("a TagTamper tells its loop once that was switched on, and remembers that it was open")
  func tamper() {
    let host = NTAG424Host(VirtualNTAG424(.all[1], uid: Self.uid))
    // Table 85: 49h as long as nobody asked it to look.
    #expect(host.perform(.getTagTamperStatus, header: 0, .plain).data == Array("II".utf8))
    #expect(host.authenticate(0, .delivered) == 0)
    #expect(host.perform(DESFireCommand(0x5C, [0x07, 0x01, 0x0E]), header: 1, .full).status == 0)
    host.open()
    #expect(host.perform(.getTagTamperStatus, header: 0, .plain).data == Array("CC".utf8))
    host.tag.behaviour.loopIsOpen = true
    host.open()
    host.tag.behaviour.loopIsOpen = false
    #expect(host.perform(.getTagTamperStatus, header: 0, .plain).data == Array("OC".utf8))
  }

  @Test("power that fails in a change of a key leaves the old one or the new one, with its version")
  func torn() {
    for after in 0...17 {
      let host = NTAG424Host(VirtualNTAG424(.all[0], uid: Self.uid))
      #expect(host.authenticate(0, .delivered) == 0)
      host.tag.eeprom.fate = { _ in .tears(afterBytes: after) }
      _ = host.change(2, from: .delivered, to: keys[2])
      host.tag.eeprom.fate = nil
      host.open()
      let isNew = host.perform(.getKeyVersion(2), header: 1, .plain).data == [1]
      #expect(host.authenticate(2, isNew ? keys[2] : .delivered) == 0)
    }
  }
}
