import Bytes
import Testing

@testable import NDEF

@Suite("Messages, NDEF 1.0, 2.3 to 3.2")
struct MessageTests {
  @Test(
    "names every fault of a malformed message", arguments: try Vector.load("malformed-messages"))
  func faults(_ vector: Vector) throws {
    let bytes = try vector.bytes(0)
    let faults = RawMessage(parsing: bytes).faults
    let first = try #require(faults.first)
    #expect(faults.map(\.description).joined(separator: "; ") == vector.fields[1])
    #expect(throws: first) { try Message(parsing: bytes) }
  }

  @Test("joins three chunks into one record, and the raw view still shows them")
  func chunks() throws {
    let bytes = try Hex.bytes(
      "B2 0A 03 746578742F706C61696E 616263  36 00 03 646566  56 00 03 676869")
    let message = try Message(parsing: bytes)
    let whole = try Record(.media, type: "text/plain".utf8, payload: "abcdefghi".utf8)
    #expect(message.records == [whole])
    #expect(
      try Hex.bytes("D2 0A 09 746578742F706C61696E 616263646566676869") == message.serialize())

    let raw = RawMessage(parsing: bytes)
    #expect(raw.isChunked)
    #expect(raw.records.map(\.offset) == [0, 16, 22])
    #expect(raw.records.map(\.payload.count) == [3, 3, 3])
    #expect(raw.records.allSatisfy { $0.isPartOfChunkedRecord })
    #expect(try !RawMessage(parsing: Hex.bytes("D0 00 00")).isChunked)
  }

  @Test("keeps the first chunk's ID and joins empty chunks")
  func chunksWithID() throws {
    let bytes = try Hex.bytes(
      "A9 01 00000001 01 55 31 04  36 00 00  16 00 03 612E62  51 01 01 55 04")
    let records = try Message(parsing: bytes).records
    #expect(records.count == 2)
    #expect(
      try records[0]
        == Record(.wellKnown, type: "U".utf8, id: [0x31], payload: Hex.bytes("04612E62")))
  }

  @Test("reads a long length for a short payload and writes the short one")
  func longFormOfShortPayload() throws {
    let message = try Message(parsing: Hex.bytes("C1 01 00000004 55 04612E62"))
    #expect(try message.serialize() == Hex.bytes("D1 01 04 55 04612E62"))
  }

  @Test(
    "writes one length byte up to 255 bytes of payload, four from 256", arguments: [0, 255, 256])
  func payloadLength(_ count: Int) throws {
    let message = try Message(Record(.unknown, payload: [UInt8](repeating: 7, count: count)))
    let head = count < 256 ? [0xD5, 0, UInt8(count)] : [0xC5, 0, 0, 0, 1, 0]
    #expect(message.serialize() == head + [UInt8](repeating: 7, count: count))
    #expect(message.byteCount == head.count + count)
  }

  @Test("tells an empty ID from none")
  func emptyID() throws {
    let none = try Hex.bytes("D1 01 01 55 04")
    let empty = try Hex.bytes("D9 01 01 00 55 04")
    #expect(try Message(parsing: none).records[0].id == nil)
    #expect(try Message(parsing: empty).records[0].id == [])
    #expect(try Message(parsing: none).serialize() == none)
    #expect(try Message(parsing: empty).serialize() == empty)
  }

  @Test("keeps the reserved format as it stands, and takes what it holds for unknown")
  func reservedFormat() throws {
    let bytes = try Hex.bytes("D7 01 02 55 0461")
    let message = try Message(parsing: bytes)
    #expect(message.records[0].typeNameFormat == .reserved && message.serialize() == bytes)
    guard case .unknown = message.records[0].content else {
      Issue.record("\(message.records[0].content)")
      return
    }
    #expect(RawMessage(parsing: bytes).records[0].header.typeNameFormat == .reserved)
  }

  @Test("gives the records before a fault, those with a wrong type as unknown")
  func lenientRecords() throws {
    let raw = try RawMessage(
      parsing: Hex.bytes("91 01 04 55 04612E62  15 01 01 55 04  D1 01 FF 55"))
    #expect(
      raw.faults.map(\.fault) == [
        .unknownRecordHasType, .truncated(.payload, wanted: 255, available: 0),
      ])
    #expect(
      try raw.joinedRecords() == [
        Record(.wellKnown, type: "U".utf8, payload: Hex.bytes("04612E62")),
        Record(.unknown, payload: [4]),
      ])
  }

  @Test("refuses a message without records")
  func noRecords() {
    #expect(throws: NDEFError(.emptyMessage, in: .argument)) { try Message([]) }
  }

  @Test("serializes headers to the bytes that they were read from")
  func headers() throws {
    let bytes = try Hex.bytes("89 01 00000100 02")
    var reader = ByteReader(bytes)
    let header = try RecordHeader(parsing: &reader)
    #expect(header.serialize() == bytes)
    #expect(header.byteCount == 7)
    #expect((header.payloadLength, header.idLength) == (256, 2))
    #expect(header.isMessageBegin && !header.isMessageEnd && !header.isShort && !header.isChunk)
  }
}
