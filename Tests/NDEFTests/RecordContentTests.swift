import Bytes
import Testing

@testable import NDEF

@Suite("What records say")
struct RecordContentTests {
  @Test(
    "reads, summarizes and writes every canonical message", arguments: try Vector.load("messages"))
  func messages(_ vector: Vector) throws {
    let bytes = try vector.bytes(0)
    let message = try Message(parsing: bytes)
    let summaries = message.records.map(\.content.summary)
    #expect(summaries.joined(separator: "; ") == vector.fields[1])
    #expect(message.serialize() == bytes)
    #expect(message.byteCount == bytes.count)
    #expect(message.records.map { $0.content.record } == message.records)
  }

  @Test(
    "names the fault of every malformed record", arguments: try Vector.load("malformed-records"))
  func malformed(_ vector: Vector) throws {
    let bytes = try vector.bytes(0)
    let message = try Message(parsing: bytes)
    #expect(message.records.map(\.content.summary) == [vector.fields[1]])
    #expect(message.serialize() == bytes)
  }

  @Test("cuts long texts and defuses what could forge a line")
  func escapes() {
    #expect(
      Escaped.quote(String(repeating: "a", count: 81)) == "“" + String(repeating: "a", count: 80)
        + "…”")
    #expect(
      Escaped.line("a\u{202E}b\u{2028}\u{9B}\r\n") == "a\\u{202e}b\\u{2028}\\u{9b}\\u{d}\\u{a}")
    #expect(
      Escaped.line("\u{1F468}\u{200D}\u{1F469} \u{E9}") == "\u{1F468}\u{200D}\u{1F469} \u{E9}")
  }
}

extension RecordContent {
  /// The record that the decoded value is written as.
  var record: Record {
    switch self {
    case .uri(let value): value.record
    case .text(let value): value.record
    case .smartPoster(let value): value.record
    case .mime(let value): value.record
    case .external(let value): value.record
    case .androidApplication(let value): value.record
    case .absoluteURI(let value): value.record
    case .wifi(let value): value.record
    case .vCard(let value): value.record
    case .empty: .empty
    case .unknown(let record): record
    case .malformed(let malformed): malformed.record
    }
  }
}
