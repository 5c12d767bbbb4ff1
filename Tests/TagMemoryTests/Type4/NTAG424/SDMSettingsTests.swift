import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("NTAG 424 DNA: what is mirrored, and where")
struct SDMSettingsTests {
  @Test(
    "settings are read and written",
    arguments: [
      // AN12196, tables 8 and 19.
      "D1FE001F00004400004400002000006A0000", "C1F121200000430000430000",
      "81F2E2100000200000300000", "41F2E2FFFFFF200000300000", "E1F12120000043000043000010000",
    ])
  func settings(hex: String) throws {
    let bytes = try Hex.bytes(hex.count.isMultiple(of: 2) ? hex : hex + "0")
    let settings = try #require(SDMSettings(bytes))
    #expect(settings.serialize() == bytes)
    #expect(SDMSettings(bytes + [0]) == nil && SDMSettings(bytes.dropLast()) == nil)
  }

  @Test("an address with all places gives the settings that put the mirrors there")
  func template() throws {
    let (text, input) = try SDMTemplate.expand(
      "https://a.example/t?e={picc}&d={enc:hello}&c={mac:enc}")
    let message = [0xD1, 0x01, 0x60, 0x55, 0x04] + Array(text.dropFirst(8).utf8)
    let settings = try #require(
      try SDMSettings(message: message, codeInput: input, keys: KeyRing(.fixed([]))))
    let start = 2 + 5 + "a.example/t?e=".utf8.count
    #expect(settings.picc == start && settings.encrypted == start + 35..<start + 67)
    #expect(settings.codeInput == start + 35 && settings.code == start + 70)
    #expect((settings.metaRead, settings.fileRead) == (1, 2))
    #expect(text.contains("d=hello~~~~~~~~~~~encrypteddata16-&c="))
  }

  @Test(
    "what no tag takes is refused before one is touched",
    arguments: [
      "https://a.example/?u={uid}&u={uid}", "https://a.example/?u={uid}&e={picc}&c={mac}",
      "https://a.example/?e={enc:}&c={mac}", "https://a.example/?e={enc:a b}&p={picc}&c={mac}",
      "https://a.example/?e={enc:ab~}&p={picc}&c={mac}", "https://a.example/?e={enc:ab}&c={mac}",
      "https://a.example/?c={mac}&e={enc:ab}&p={picc}", "https://a.example/?c={mac:picc}",
      "https://a.example/?c={mac}&p={picc}&x={mac}", "https://a.example/?c={mac:nowhere}",
      "https://a.example/?p={picc:1}", "https://a.example/?x=uidgoeshere-14&p={picc}",
      "https://a.example/?" + String(repeating: "x", count: 180) + "&p={picc}&c={mac}&e={enc:ab}",
      "https://a.example/?c={mac}&p={picc}&i={mac:p}",
    ])
  func refused(template: String) {
    #expect(throws: SDMTemplateError.self) {
      let (text, input) = try SDMTemplate.expand(template)
      let message = [0xD1, 0x01, 0x60, 0x55, 0x04] + Array(text.dropFirst(8).utf8)
      _ =
        try SDMSettings(message: message, codeInput: input, keys: KeyRing(.fixed([])))
        .map { $0 } as SDMSettings?
    }
  }

  @Test(
    "a code's input begins at a place or a text that the tag holds before the code, or is refused",
    arguments: [
      "https://a.example/?c={mac:zzz}", "https://a.example/?c={mac:uid}",
      "https://a.example/?{mac:mac}",
      "https://a.example/?c={mac:tail}&tail", "https://a.example/?c={mac:picc}&p={picc}",
      "https://www.a.example/?c={mac:www}", "https://a.example/?c={mac:http}",
    ])
  func noInput(_ template: String) {
    #expect(throws: SDMTemplateError.noCodeInput) { try SDMTemplate.expand(template) }
  }

  @Test("an address without places has no settings, and other braces stay")
  func nothing() throws {
    let (text, input) = try SDMTemplate.expand("https://a.example/{code}?{")
    #expect(text == "https://a.example/{code}?{" && !SDMTemplate.isPresent(in: text))
    #expect(
      try SDMSettings(message: Array(text.utf8), codeInput: input, keys: .delivered) == nil)
  }

  @Test(
    "settings at random are refused, or read back the same; mirrors of those taken never overlap")
  func random() {
    var generator = SeededGenerator(seed: 424)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator) & [0xFF, 0x1F, 0x03].randomElement(
          using: &generator)!
      }
      guard let settings = SDMSettings(bytes), (try? settings.check(fileByteCount: 256)) != nil
      else { continue }
      let ranges = settings.mirrors.values.sorted { $0.lowerBound < $1.lowerBound }
      for (one, other) in zip(ranges, ranges.dropFirst()) {
        #expect(one.upperBound <= other.lowerBound)
      }
      #expect((ranges.last?.upperBound ?? 2) <= 256 && (ranges.first?.lowerBound ?? 2) >= 2)
    }
  }
}
