import CardCrypto
import Testing

@testable import PN532Simulator
@testable import TagMemory

@Suite("A reading of an NTAG 424 DNA that a program plays")
struct SUNReadingTests {
  private static let templates = [
    "https://example.com/t?e={picc}&c={mac}", "https://example.com/t?e={picc}&x=1&c={mac:picc}",
    "https://example.com/t?u={uid}&n={counter}&c={mac:uid}",
    "https://example.com/t?e={picc}&d={enc:secret}&c={mac}",
    "https://example.com/t?e={picc}&d={enc:a{tt}b}&c={mac}",
    "https://example.com/t?e={picc}&o={tt}&c={mac:picc}",
  ]
  private static let keys = KeyRing(
    .fixed((0..<5).map { AESKey([UInt8](repeating: UInt8(17 * $0 + 3), count: 16))! }))
  private static let uid = UID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])

  private func settings(
    _ template: String, usesLRP: Bool
  ) throws -> (settings: SDMSettings, message: [UInt8]) {
    let (text, input) = try SDMTemplate.expand(template, usesLRP: usesLRP)
    let address = Array(text.dropFirst("https://".count).utf8)
    let message = [0xD1, 0x01, UInt8(address.count + 1), 0x55, 0x04] + address
    let found = try SDMSettings(message: message, codeInput: input, keys: Self.keys)
    return (try #require(found), message)
  }

  @Test("proves itself, and is what the simulated chip shows", arguments: templates, [false, true])
  func same(template: String, usesLRP: Bool) throws {
    let (settings, message) = try settings(template, usesLRP: usesLRP)
    let reading = SUNReading(settings, keys: Self.keys, uid: Self.uid)
    let mirror = NTAG424Mirror(
      settings.serialize(), size: 256, isLRP: settings.usesLRP, hasTamperLoop: true)
    let chip = try #require(mirror)
    let file =
      [0, UInt8(message.count)] + message
      + [UInt8](repeating: 0, count: 254 - message.count)
    for counter in [1, 2, 0x1234, SUNReading.lastCounter] {
      var random = SplitMix64(state: UInt64(counter))
      func byte() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }
      let shown = reading.message(message, counter: counter) { count in
        (0..<count).map { _ in byte() }
      }
      #expect(shown.count == message.count)
      random = SplitMix64(state: UInt64(counter))
      let expected = chip.applied(
        to: file, uid: Self.uid.bytes, counter: counter, tamper: Array("CC".utf8),
        key: { Self.keys.key($0, of: Self.uid).bytes }, random: byte)
      #expect(shown == Array(expected[2..<2 + message.count]), "counter \(counter)")
      let parts = try #require(SUNParts(file: [0, UInt8(shown.count)] + shown, settings))
      let proof = try SUNProof(parts, keys: Self.keys)
      #expect(proof.uid == Self.uid && proof.counter == counter)
      #expect(
        SUNExpectation(
          settings, keys: Self.keys, uid: Self.uid, stored: [0, UInt8(shown.count)] + message
        )
        .fits([0, UInt8(shown.count)] + shown))
    }
  }
}
