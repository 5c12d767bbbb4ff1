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
      "https://a.example/{code}?p={picc}&c={mac:code}", "https://a.example/?p={picc}&c={mac:goes}",
      "https://a.example/?p={picc}&d={enc:secret}&c={mac:secret}",
    ])
  func noInput(_ template: String) {
    #expect(throws: SDMTemplateError.noCodeInput) { try SDMTemplate.expand(template) }
  }

  @Test(
    "a text of the scheme is refused with its reason: the tag has a number there",
    arguments: [
      "https://www.a.example/?c={mac:www}", "https://a.example/?c={mac:http}",
      "https://a.example/?p={picc}&c={mac:https}", "http://a.example/?p={picc}&c={mac://}",
    ])
  func scheme(_ template: String) throws {
    let text = try #require(template.split(separator: ":").last?.dropLast())
    #expect(throws: SDMTemplateError.codeInputInScheme(String(text))) {
      try SDMTemplate.expand(template)
    }
  }

  /// The writer's settings, and the parts that the checker finds in what a tag shows by them.
  @Test(
    "whatever text the code begins at, whoever checks finds what the tag took",
    arguments: [
      "/", "t", "h", "p", "s", "e", "?", "x", "shop", "example", "0", "1", "A", "e=", "c=",
    ])
  func checked(text: String) throws {
    for address in [
      "https://www.shop.example/p/{picc}/{mac:\(text)}",
      "https://shop.example/t?x1={uid}&n={counter}&e=0A&c={mac:\(text)}",
      "http://example.com/A0?d={enc:tea~x}&e={picc}&c={mac:\(text)}",
    ] {
      let (expanded, input): (String, SDMTemplate.CodeInput)
      do {
        (expanded, input) = try SDMTemplate.expand(address)
      } catch { continue }
      let count = SDMTemplate.scheme(of: expanded)
      let payload = [0x02] + Array(expanded.utf8.dropFirst(count))
      // A first record, whose bytes are nobody's address, and an identifier.
      let other: [UInt8] = [0x91, 0x01, 0x05, 0x54, 0x02, 0x65, 0x6E, 0x74, 0x70]
      let message = other + [0x59, 0x01, UInt8(payload.count), 0x01, 0x55, 0x70] + payload
      let made: SDMSettings?
      do {
        made = try SDMSettings(message: message, codeInput: input, keys: KeyRing(.fixed([])))
      } catch SDMTemplateError.fault(.codeInputTooLate) { continue }
      let settings = try #require(made)
      var shown = [0, 0] + message
      for range in settings.mirrors.values {
        shown.replaceSubrange(range, with: [UInt8](repeating: 0x41, count: range.count))
      }
      let start = try #require(settings.codeInput)
      let found = try SUNParts(
        String(expanded.prefix(count))
          + String(decoding: shown.dropFirst(2 + other.count + 7), as: UTF8.self),
        template: address)
      #expect(found.codeInput == Array(shown[start..<settings.code!]), "\(address)")
    }
  }

  @Test("a place that follows a field directly could not be found again")
  func behindField() {
    for template in [
      "https://a.example/{code}{picc}?c={mac}", "https://a.example/?p={picc}&c={name}{mac}",
    ] {
      #expect(throws: SDMTemplateError.unverifiable) { try SDMTemplate.expand(template) }
    }
  }

  @Test("a code that no UID goes with takes a key that all tags have")
  func withoutUID() throws {
    let own = KeyRing(.an10922(master: .delivered, name: []))
    for address in ["https://a.example/?n={counter}&c={mac}", "https://a.example/?c={mac}"] {
      let (text, input) = try SDMTemplate.expand(address)
      let message =
        [0xD1, 0x01, UInt8(text.utf8.count - 7), 0x55, 0x04] + Array(text.utf8.dropFirst(8))
      #expect(throws: SDMTemplateError.codeWithoutUID) {
        try SDMTemplate.requireUID(in: address, for: own)
      }
      #expect(throws: SDMTemplateError.codeWithoutUID) {
        _ = try SDMSettings(message: message, codeInput: input, keys: own) as SDMSettings?
      }
      try SDMTemplate.requireUID(in: address, for: .delivered)
      #expect(try SDMSettings(message: message, codeInput: input, keys: .delivered) != nil)
    }
    try SDMTemplate.requireUID(in: "https://a.example/?u={uid}&c={mac}", for: own)
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
