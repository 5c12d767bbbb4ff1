import Bytes
import Testing

@testable import NDEF

@Suite("ndeflib 0.3.3, another implementation")
struct NDEFLibTests {
  @Test(
    "reads what ndeflib wrote, and writes the same bytes", arguments: try Vector.load("ndeflib"))
  func peer(_ vector: Vector) throws {
    let bytes = try vector.bytes(0)
    let message = try Message(parsing: bytes)
    let expected = try vector.fields[1].split(separator: ";").map { try Self.content($0) }
    #expect(message.records.map(\.content) == expected)
    #expect(message.serialize() == bytes)
    // ndeflib writes UTF-16 with the mark of its host and sorts Wi-Fi attributes by number.
    let isOurForm = !vector.fields[1].contains("UTF-16") && !vector.fields[1].contains("wifi")
    if isOurForm { #expect(try Message(expected.map(\.record)).serialize() == bytes) }
  }

  /// The content that a specification of `ndeflib.txt` stands for.
  private static func content(_ specification: Substring) throws -> RecordContent {
    var words = specification.split(separator: " ").map(String.init)
    var id: [UInt8]?
    if let last = words.last, last.hasPrefix("id=") {
      id = try Hex.bytes(last.dropFirst(3))
      words.removeLast()
    }
    switch words[0] {
    case "uri": return try .uri(URIRecord(text(words[1]), id: id))
    case "text":
      let encoding: TextRecord.Encoding = words[2] == "UTF-8" ? .utf8 : .utf16
      return try .text(TextRecord(text(words[3]), language: words[1], encoding: encoding, id: id))
    case "mime": return try .mime(MIMERecord(type: text(words[1]), payload: data(words[2]), id: id))
    case "external":
      let parts = words[1].split(separator: ":").map(String.init)
      return try .external(
        ExternalRecord(domain: parts[0], name: parts[1], payload: data(words[2]), id: id))
    case "android": return try .androidApplication(AndroidApplicationRecord(words[1], id: id))
    case "absolute":
      return try .absoluteURI(AbsoluteURIRecord(text(words[1]), payload: data(words[2]), id: id))
    case "unknown": return try .unknown(Record(.unknown, id: id, payload: data(words[1])))
    case "poster": return try .smartPoster(poster(words, id: id))
    case "wifi":
      return try .wifi(WiFiCredential(ssid: text(words[1]), passphrase: text(words[2]), id: id))
    default:
      try #require(words[0] == "empty")
      return .empty
    }
  }

  private static func poster(_ words: [String], id: [UInt8]?) throws -> SmartPosterRecord {
    let pairs = { (word: String) in
      word == "-"
        ? [] : word.split(separator: ",").map { $0.split(separator: ":").map(String.init) }
    }
    let actions: [String: SmartPosterRecord.Action] = [
      "exec": .perform, "save": .save, "edit": .edit,
    ]
    return try SmartPosterRecord(
      uri: URIRecord(text(words[1])),
      titles: pairs(words[2]).map { try TextRecord(text($0[1]), language: $0[0]) },
      action: actions[words[3]], size: UInt32(words[4]),
      mediaType: words[5] == "-" ? nil : words[5],
      icons: pairs(words[6]).map { try MIMERecord(type: $0[0], payload: data($0[1])) }, id: id)
  }

  private static func data(_ word: String) throws -> [UInt8] {
    word == "\"\"" ? [] : try Hex.bytes(word)
  }

  private static func text(_ word: String) throws -> String {
    try String(decoding: data(word), as: UTF8.self)
  }
}
