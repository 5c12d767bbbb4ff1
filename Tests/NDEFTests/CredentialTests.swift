import Bytes
import Testing

@testable import NDEF

@Suite("vCards, RFC 6350")
struct VCardTests {
  @Test("takes a file as it is, without its byte-order mark")
  func file() throws {
    let text =
      "\nBegin:vCard\r\nVERSION:4.0\r\nitem1.FN;LANGUAGE=en:J\u{F6}rg\r\nend:VCARD  \r\n\r\n"
    let card = try VCard([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(card.bytes == Array(text.utf8))
    #expect(card.formattedName == "J\u{F6}rg")
    #expect(card.record.typeName == "text/vcard")
    #expect(try VCard(parsing: card.record) == card)
  }

  @Test(
    "reads both media types in use",
    arguments: ["text/vcard", "text/x-vCard", "TEXT/X-VCARD; charset=utf-8"])
  func mediaTypes(_ type: String) throws {
    let bytes = Array("BEGIN:VCARD\nN:a\nEND:VCARD".utf8)
    let record = try Record(.media, type: type.utf8, payload: bytes)
    #expect(try record.content == .vCard(VCard(bytes)))
    #expect(record.content.summary == "vCard")
  }

  @Test("refuses what does not begin or end as a vCard")
  func refusals() {
    #expect(refusal { try VCard([]) } == "a vCard begins with the line BEGIN:VCARD")
    #expect(
      refusal { try VCard("FN:a\nEND:VCARD".utf8) } == "a vCard begins with the line BEGIN:VCARD")
    #expect(
      refusal { try VCard("BEGIN:VCARD\nFN:a".utf8) } == "a vCard ends with the line END:VCARD")
  }
}

@Suite("Wi-Fi credentials, Wi-Fi Simple Configuration TS 2.0, 12")
struct WiFiCredentialTests {
  @Test("chooses WPA2 with a passphrase and an open network without")
  func defaults() throws {
    let bench = try WiFiCredential(ssid: "bench", passphrase: "secret12")
    #expect((bench.authentication, bench.encryption) == (.wpa2Personal, .aes))
    #expect(bench.record.payload.count == 52)
    let open = try WiFiCredential(ssid: "caf\u{E9}", passphrase: nil)
    #expect(open.description == "Wi-Fi “caf\u{E9}”, open, not encrypted")
    for credential in [bench, open] {
      #expect(try WiFiCredential(parsing: credential.record) == credential)
    }
  }

  @Test(
    "never shows the key", arguments: ["secret12", String(repeating: "0123456789abcdef", count: 4)])
  func keyIsHidden(_ key: String) throws {
    let credential = try WiFiCredential(ssid: "bench", passphrase: key)
    var dumped = ""
    dump(credential, to: &dumped)
    dump(credential.record.content, to: &dumped)
    for text in [
      "\(credential)", String(reflecting: credential), dumped, credential.record.content.summary,
    ] {
      #expect(text.contains("bench"))
      #expect(!text.contains(key))
    }
  }

  @Test("refuses keys that do not suit the authentication")
  func keys() throws {
    for key in [
      "", "1234567", String(repeating: "g", count: 64), String(repeating: "a", count: 65),
      "1234567\u{E9}",
    ] {
      #expect(
        refusal { try WiFiCredential(ssid: "a", passphrase: key) }
          .hasPrefix("a network key of \(key.utf8.count) bytes does not suit the authentication"))
    }
    #expect(
      try WiFiCredential(ssid: "a", passphrase: String(repeating: "g", count: 63)).networkKey.count
        == 63)
    let key = [UInt8](repeating: 0, count: 5)
    #expect(
      refusal {
        try WiFiCredential(
          ssid: [1], authentication: .open, encryption: .unencrypted, networkKey: key)
      } != "")
    #expect(
      refusal {
        try WiFiCredential(ssid: [1], authentication: .shared, encryption: .wep, networkKey: key)
      } == "")
  }

  @Test("refuses SSIDs that are not 1 to 32 bytes and MAC addresses that are not 6")
  func sizes() throws {
    #expect(
      refusal { try WiFiCredential(ssid: "", passphrase: nil) }
        == "an SSID has 1 to 32 bytes, not 0")
    #expect(
      refusal { try WiFiCredential(ssid: String(repeating: "\u{E9}", count: 17), passphrase: nil) }
        == "an SSID has 1 to 32 bytes, not 34")
    #expect(
      refusal {
        try WiFiCredential(
          ssid: [1], authentication: .open, encryption: .unencrypted, networkKey: [],
          macAddress: [1])
      } == "the MAC address takes 6 bytes, not 1")
  }

  @Test("reads attributes in any order, passes over others and fills in what may be missing")
  func anyOrder() throws {
    let payload = try Hex.bytes(
      "104A000110 100E001B 100F0002000C 1049000600372A000120 100300020022 1045000141 100E0000")
    let credential = try WiFiCredential(
      parsing: Record(.media, type: "application/vnd.wfa.wsc".utf8, payload: payload))
    #expect(credential.description == "Wi-Fi “A”, WPA-Personal/WPA2-Personal, TKIP/AES")
    #expect(credential.networkKey == [])
    #expect(credential.macAddress == WiFiCredential.anyAddress)
    #expect(WiFiCredential.Authentication(rawValue: 0x8001).description == "open/0x8000")
    #expect(WiFiCredential.Encryption(rawValue: 0).description == "0x0")
  }
}
