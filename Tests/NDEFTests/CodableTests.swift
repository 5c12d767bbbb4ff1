import Foundation
import NDEF
import SeededNumbers
import Testing

@Suite("Messages and records as JSON")
struct CodableTests {
  private static func coded(_ message: Message) throws -> Message {
    try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
  }

  @Test("a message is a list of records, as read --json prints them")
  func example() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(
      decoding: try encoder.encode(try Message.url("https://example.com")), as: UTF8.self)
    #expect(text == #"[{"payload":"046578616d706c652e636f6d","tnf":1,"type":"U"}]"#)
  }

  @Test("what is read is what was written: every format, with and without an ID")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<300 {
      let records = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let format: TypeNameFormat = [.wellKnown, .media, .absoluteURI, .external, .unknown]
          .randomElement(using: &random)!
        let payload = (0..<Int.random(in: 0...300, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        let id: [UInt8]? = Bool.random(using: &random) ? Array("id".utf8) : nil
        return try Record(
          format, type: format == .unknown ? [] : Array("a/b".utf8), id: id, payload: payload)
      }
      let message = try Message(records)
      #expect(try Self.coded(message) == message)
    }
    let empty = Message(try Record(.empty))
    #expect(try Self.coded(empty) == empty)
  }

  @Test(
    "what is no message is refused",
    arguments: [
      "[]", "{}", "null", #"[{"tnf":9,"type":"U"}]"#, #"[{"tnf":6,"type":""}]"#,
      #"[{"tnf":1,"type":""}]"#, #"[{"tnf":1,"type":"U","payload":"0"}]"#,
      #"[{"tnf":1,"type":"U","payload":"zz"}]"#, #"[{"tnf":0,"type":"U"}]"#,
      #"[{"tnf":1,"type":"\#u{FC}"}]"#, #"[{"type":"U"}]"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Message.self, from: Data(text.utf8))
    }
  }
}
