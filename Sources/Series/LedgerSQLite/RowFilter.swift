import Foundation
import NDEF

/// Says quickly which rows of a list cannot make a message: of a million, a handful are left whose
/// messages are made and compared.
///
/// Letters and digits of a row's link or text stand in its message as they stand in the row, but
/// for their case; what a field fills in, and what is encoded on its way, is not looked at. So no
/// row is passed by that makes the message.
struct RowFilter {
  /// The links and texts of the message, in lower case.
  private let held: [UInt8]

  init(_ message: Message) {
    held = message.records.flatMap { Self.text(of: $0).utf8.map(Self.lowered) + [0] }
  }

  private static func text(of record: NDEF.Record) -> String {
    switch record.content {
    case .uri(let link): link.uri
    case .absoluteURI(let link): link.uri
    case .text(let note): note.text
    default: ""
    }
  }

  /// Returns whether the row of the job `number`, whose records these are as the journal keeps
  /// them, may make the message.
  func mayMake(_ records: String, _ number: Int) -> Bool {
    // An escape may stand for any character.
    guard !records.utf8.contains(0x5C), let pairs = try? StoredJob.quickPairs(records) else {
      return true
    }
    return pairs.allSatisfy { option, text in
      guard option == "uri" || option == "text" else { return true }
      let pieces = pieces(of: Array(text.utf8))
      return pieces.words.reversed().allSatisfy(holds)
        && (!pieces.hasNumber || holds(Array(String(number).utf8)))
    }
  }

  /// The runs of letters and digits of a text that stand outside of braces, and whether the job's
  /// number stands in them.
  private func pieces(of text: [UInt8]) -> (words: [[UInt8]], hasNumber: Bool) {
    var (words, word, field) = ([[UInt8]](), [UInt8](), [UInt8]?.none)
    var hasNumber = false
    for byte in text {
      if let name = field {
        field = byte == UInt8(ascii: "}") ? nil : name + [byte]
        if field == nil { hasNumber = hasNumber || name.starts(with: Self.counter) }
      } else if Self.isPlain(byte) {
        word.append(Self.lowered(byte))
      } else {
        if !word.isEmpty { words.append(word) }
        word = []
        if byte == UInt8(ascii: "{") { field = [] }
      }
    }
    return (word.isEmpty ? words : words + [word], hasNumber)
  }

  private static let counter = Array("counter".utf8)

  private func holds(_ word: [UInt8]) -> Bool {
    guard held.count >= word.count else { return false }
    return (0...held.count - word.count).contains { start in
      held[start...].starts(with: word)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
