import CoreNFC
import Foundation
import Testing

@Suite("Messages and payloads as CoreNFC has them")
struct ValueTests {
  @Test("a URI payload has the shortest prefix, and is read back")
  func uriPayload() throws {
    let payload = try #require(
      NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://example.com/t/1"))
    #expect(payload.typeNameFormat == .nfcWellKnown)
    #expect(payload.type == Data("U".utf8))
    #expect(payload.identifier.isEmpty)
    #expect(payload.payload == Data([0x04] + Array("example.com/t/1".utf8)))
    #expect(payload.wellKnownTypeURIPayload() == URL(string: "https://example.com/t/1"))
    let url = try #require(URL(string: "mailto:user@example.com"))
    #expect(NFCNDEFPayload.wellKnownTypeURIPayload(url: url)?.payload.first == 0x06)
    #expect(NFCNDEFPayload.wellKnownTypeURIPayload(string: "") == nil)
    #expect(payload.wellKnownTypeTextPayload() == (nil, nil))
  }

  @Test("a payload without a prefix code is no URI")
  func uriWithoutPrefix() {
    let payload = NFCNDEFPayload(
      format: .nfcWellKnown, type: Data("U".utf8), identifier: Data(), payload: Data("content".utf8)
    )
    #expect(payload.wellKnownTypeURIPayload() == nil)
  }

  @Test("a text payload bears the language of the locale")
  func textPayload() throws {
    let payload = try #require(
      NFCNDEFPayload.wellKnownTypeTextPayload(string: "hello", locale: Locale(identifier: "en_US")))
    #expect(payload.payload == Data([0x02] + Array("enhello".utf8)))
    let (text, locale) = payload.wellKnownTypeTextPayload()
    #expect(text == "hello")
    #expect(locale?.identifier == "en")
    let long = NFCNDEFPayload.wellKnownTypeTextPayload(
      string: "Grüße", locale: Locale(identifier: "de"))
    #expect(long?.wellKnownTypeTextPayload().0 == "Grüße")
  }

  @Test(
    "a message is read whole or not at all",
    arguments: [
      ("D1010D55046578616D706C652E636F6D", false), ("D101105504", false), ("", false),
      ("D1010C55046578616D706C652E636F6D", true), ("D00000", true), ("D0000000", false),
    ])
  func messageFromData(_ hex: String, isWhole: Bool) {
    let message = NFCNDEFMessage(data: Data(hex: hex))
    #expect((message != nil) == isWhole)
    if let message { #expect(message.length == hex.count / 2) }
  }

  @Test("an empty message takes three bytes")
  func emptyMessage() { #expect(NFCNDEFMessage(records: []).length == 3) }

  @Test("chunks are records of their own, and written as they were read")
  func chunks() throws {
    let hex = "B20A03746578742F706C61696E616263360003646566560003676869"
    let message = try #require(NFCNDEFMessage(data: Data(hex: hex)))
    #expect(message.records.map(\.typeNameFormat) == [.media, .unchanged, .unchanged])
    #expect(message.length == hex.count / 2)
    let record = NFCNDEFPayload(
      format: .media, type: Data("text/plain".utf8), identifier: Data(),
      payload: Data("abcdefghi".utf8), chunkSize: 3)
    #expect(NFCNDEFMessage(records: [record]).length == hex.count / 2)
  }

  @Test("records with long payloads and identifiers have the lengths that the specification gives")
  func lengths() {
    let record = NFCNDEFPayload(
      format: .nfcExternal, type: Data("example.com:x".utf8), identifier: Data("id".utf8),
      payload: Data(count: 300))
    #expect(NFCNDEFMessage(records: [record]).length == 1 + 1 + 4 + 1 + 13 + 2 + 300)
    record.payload = Data(count: 255)
    #expect(NFCNDEFMessage(records: [record, record]).length == 2 * (1 + 1 + 1 + 1 + 13 + 2 + 255))
  }

  @Test("data print in a format as on a phone")
  func dataInFormat() {
    let text = String(format: "%@ %d", Data([1, 2, 0xFF]) as CVarArg, 5)
    #expect(text == "{length = 3, bytes = 0x0102ff} 5")
  }

  @Test("messages survive an archive")
  func archive() throws {
    let message = NFCNDEFMessage(records: [
      NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://example.com")!
    ])
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: message, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: NFCNDEFMessage.self, from: data)
    #expect(copy == message)
  }
}

@Suite("APDUs as CoreNFC has them")
struct APDUValueTests {
  @Test(
    "bytes that are no command make none",
    arguments: [
      "00A503", "00A5030004B000000033434561", "00A4040007D27600008501", "00A404000000",
    ])
  func malformed(_ hex: String) { #expect(NFCISO7816APDU(data: Data(hex: hex)) == nil) }

  @Test(
    "the seven cases are read",
    arguments: [
      ("00A40000", 0, -1), ("00B0000010", 0, 16), ("00B0000000", 0, 256),
      ("00A4000C02E103", 2, -1), ("00A4040007D276000085010100", 7, 256),
      ("00B00000000100", 0, 256), ("00B00000000000", 0, 65_536),
      ("00D60000000002AABB", 2, -1), ("00D60000000002AABB0100", 2, 256),
    ])
  func cases(_ hex: String, data: Int, expected: Int) throws {
    let apdu = try #require(NFCISO7816APDU(data: Data(hex: hex)))
    #expect(apdu.data?.count ?? 0 == data)
    #expect((apdu.data == nil) == (data == 0))
    #expect(apdu.expectedResponseLength == expected)
  }

  @Test("fields are kept as they were given")
  func fields() {
    let apdu = NFCISO7816APDU(
      instructionClass: 0, instructionCode: 0xA4, p1Parameter: 4, p2Parameter: 12,
      data: Data([1, 2]), expectedResponseLength: -1)
    #expect(
      (apdu.instructionClass, apdu.instructionCode, apdu.p1Parameter, apdu.p2Parameter)
        == (0, 0xA4, 4, 12))
    #expect(apdu.data == Data([1, 2]))
    #expect(apdu.expectedResponseLength == -1)
  }
}

@Suite("Errors as CoreNFC has them")
struct ErrorTests {
  private let error: any Error = NFCReaderError(
    .readerSessionInvalidationErrorUserCanceled,
    userInfo: [NSLocalizedDescriptionKey: "Session invalidated by user"])

  @Test("an error is an NSError of its domain, with its number and its text")
  func nsError() {
    #expect((error as NSError).domain == NFCErrorDomain)
    #expect((error as NSError).code == 200)
    #expect(error.localizedDescription == "Session invalidated by user")
  }

  @Test("an error is found again by its type, by its code and in a catch")
  func casts() {
    #expect(
      (error as? NFCReaderError)?.code
        == NFCReaderError.readerSessionInvalidationErrorUserCanceled)
    #expect(NFCReaderError.readerTransceiveErrorTagConnectionLost.rawValue == 100)
    #expect(NFCReaderError.Code(rawValue: 403) == .ndefReaderSessionErrorZeroLengthMessage)
    do {
      throw error
    } catch NFCReaderError.readerSessionInvalidationErrorUserCanceled {
    } catch {
      Issue.record("not caught: \(error)")
    }
  }
}

extension Data {
  init(hex: String) {
    let digits = Array(hex)
    self.init(
      stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)!
      })
  }
}
