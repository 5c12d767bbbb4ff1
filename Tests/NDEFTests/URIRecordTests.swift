import Bytes
import Testing

@testable import NDEF

@Suite("URI records, URI RTD 1.0, 3.2")
struct URIRecordTests {
  static func record(_ payload: some Sequence<UInt8>) throws -> Record {
    try Record(.wellKnown, type: "U".utf8, payload: payload)
  }

  @Test("reads and writes every prefix", arguments: try Vector.load("uri-prefixes"))
  func prefixes(_ vector: Vector) throws {
    let code = try #require(UInt8(vector.name, radix: 16))
    let record = try Self.record([code] + Array("x.y".utf8))
    let read = try URIRecord(parsing: record)
    #expect(read.uri == vector.fields[0] + "x.y")
    #expect(read.record == record)
    #expect(URIPrefix.table.count == 36)
  }

  @Test(
    "takes the longest prefix, and only as it is written",
    arguments: [
      ("https://www.mob.com", 0x02), ("https://wwx.mob.com", 0x04), ("HTTPS://www.mob.com", 0x00),
      ("https://WWW.mob.com", 0x04), ("urn:epc:id:1", 0x1E), ("urn:epc:idx:1", 0x22),
      ("urn:isbn:1", 0x13), ("urn:nfc:wkt:U", 0x23), ("ftp://ftp.a", 0x08), ("ftp://a", 0x0D),
      ("ftp://anonymous:anonymous@a", 0x07), ("tel:+41", 0x05), ("x-hm://1", 0x00),
      ("https://www.\u{301}x", 0x02),
    ] as [(String, UInt8)])
  func longestPrefix(_ uri: String, _ code: UInt8) throws {
    let record = try URIRecord(uri).record
    #expect(record.payload.first == code)
    #expect(try Array(URIRecord(parsing: record).uri.utf8) == Array(uri.utf8))
  }

  @Test(
    "reports every reserved prefix code and still gives the text",
    arguments: 0x24...0xFF as ClosedRange<UInt8>)
  func reservedPrefix(_ code: UInt8) throws {
    let record = try Self.record([code] + Array("a.b".utf8))
    #expect(throws: NDEFError(.reservedURIPrefix(code), in: .payload)) {
      try URIRecord(parsing: record)
    }
    #expect(URIRecord.salvage(record) == "a.b")
  }

  @Test("keeps international characters as they are given")
  func international() throws {
    let uri = "https://example.com/\u{4F60}\u{597D}?q=\u{E9}"
    let record = try URIRecord(uri).record
    #expect(record.payload == [4] + Array("example.com/\u{4F60}\u{597D}?q=\u{E9}".utf8))
    #expect(try URIRecord(parsing: record).uri == uri)
  }

  @Test(
    "refuses control characters where they stand",
    arguments: [0x00, 0x0A, 0x1F, 0x7F, 0x85] as [UInt32])
  func controlCharacters(_ value: UInt32) throws {
    let uri = try "https://a\u{E9}" + String(Character(#require(Unicode.Scalar(value))))
    #expect(throws: NDEFError(.controlCharacter(value), in: .argument, at: 11)) {
      try URIRecord(uri)
    }
    let record = try Self.record([4] + Array(uri.utf8.dropFirst(8)))
    #expect(throws: NDEFError(.controlCharacter(value), in: .payload, at: 4)) {
      try URIRecord(parsing: record)
    }
  }

  @Test("refuses what is empty, not UTF-8 or of another type")
  func malformed() throws {
    #expect(throws: NDEFError(.emptyURI, in: .argument)) { try URIRecord("") }
    #expect(throws: NDEFError(.emptyURI, in: .payload, at: 1)) {
      try URIRecord(parsing: Self.record([0]))
    }
    #expect(try URIRecord(parsing: Self.record([5])).uri == "tel:")
    let short = NDEFError(
      .shortPayload(of: "URI prefix code", wanted: 1, available: 0), in: .payload)
    #expect(throws: short) { try URIRecord(parsing: Self.record([])) }
    #expect(throws: NDEFError(.invalidUTF8, in: .payload, at: 3)) {
      try URIRecord(parsing: Self.record([4, 0x61, 0x62, 0xC3, 0x28]))
    }
    #expect(throws: NDEFError(.otherType(expected: "a URI record"), in: .type)) {
      try URIRecord(parsing: Record(.wellKnown, type: "u".utf8, payload: [4]))
    }
  }
}
