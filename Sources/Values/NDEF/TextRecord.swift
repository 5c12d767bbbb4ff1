/// A Text record: well-known type `T` (NFC Forum Text RTD 1.0, 3.2).
///
///     byte   payload
///     0      bit 7: UTF-16, bit 6: zero, bits 5…0: length n of the language code
///     1…n    language code, US-ASCII (RFC 5646), such as `en` or `de-CH`
///     …      the text
public struct TextRecord: Hashable, Sendable {
  /// How the text stands in the payload.
  public enum Encoding: Hashable, Sendable {
    /// UTF-8.
    case utf8
    /// Written high byte first; a byte-order mark is obeyed when read.
    case utf16
  }

  /// The text.
  public let text: String
  /// Empty only where a record was read that names none.
  public let language: String
  /// How the text is stored.
  public let encoding: Encoding
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A record of `text` in `language`, a code of 1 to 63 letters, digits and hyphens.
  public init(
    _ text: String, language: String, encoding: Encoding = .utf8, id: [UInt8]? = nil
  ) throws(NDEFError) {
    guard Self.isLanguageCode(language.utf8) else {
      throw NDEFError(.invalidLanguage(language), in: .argument)
    }
    self.text = text
    self.language = language
    self.encoding = encoding
    self.id = id
    let textCount = encoding == .utf8 ? text.utf8.count : 2 + 2 * text.utf16.count
    try Record.checkLengths(type: 1, id: id, payload: 1 + language.utf8.count + textCount)
  }

  /// Reads a Text record. Throws when `record` is of another type, the status byte has its
  /// reserved bit set, the language code ends outside the payload or is not one, or the text is
  /// not in the encoding that the status byte names.
  ///
  /// A language length of 0 breaks the RTD but stands on tags in use: `language` is then empty.
  public init(parsing record: Record) throws(NDEFError) {
    guard record.isWellKnown("T") else {
      throw NDEFError(.otherType(expected: "a Text record"), in: .type)
    }
    let payload = record.payload
    guard let status = payload.first else {
      throw NDEFError(
        .shortPayload(of: "status byte of the text", wanted: 1, available: 0), in: .payload)
    }
    guard status & 0x40 == 0 else {
      throw NDEFError(.reservedTextStatus(status), in: .payload)
    }
    let count = Int(status & 0x3F)
    guard payload.count > count else {
      throw NDEFError(
        .shortPayload(of: "language code", wanted: count, available: payload.count - 1),
        in: .payload, at: 1)
    }
    let code = payload[1..<1 + count]
    guard code.isEmpty || Self.isLanguageCode(code) else {
      throw NDEFError(
        .invalidLanguage(String(decoding: code, as: UTF8.self)), in: .payload, at: 1)
    }
    let rest = payload[(1 + count)...]
    encoding = status & 0x80 == 0 ? .utf8 : .utf16
    switch encoding {
    case .utf8: text = try Decoding.utf8(rest, at: 1 + count)
    case .utf16: text = try Decoding.utf16(rest, at: 1 + count)
    }
    language = String(decoding: code, as: UTF8.self)
    id = record.id
  }

  /// The record; UTF-16 is written high byte first without a byte-order mark.
  public var record: Record {
    let status = UInt8(language.utf8.count) | (encoding == .utf8 ? 0 : 0x80)
    var payload = [status] + Array(language.utf8)
    switch encoding {
    case .utf8:
      payload += text.utf8
    case .utf16:
      // A text that begins like a byte-order mark would be read without it, so it needs one.
      if let first = text.utf16.first, first == 0xFEFF || first == 0xFFFE {
        payload += [0xFE, 0xFF]
      }
      for unit in text.utf16 { payload += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    }
    return Record(checked: .wellKnown, type: "T".utf8, id: id, payload: payload)
  }

  /// The text of a Text record that cannot be read: whatever follows the language code, bytes that
  /// are no text as U+FFFD. Nil for other types, and when the payload ends in the language code.
  package static func salvage(_ record: Record) -> String? {
    guard record.isWellKnown("T"), let status = record.payload.first else { return nil }
    let count = Int(status & 0x3F)
    guard record.payload.count > 1 + count else { return nil }
    let rest = record.payload[(1 + count)...]
    return status & 0x80 == 0
      ? String(decoding: rest, as: UTF8.self)
      : String(decoding: Decoding.utf16Units(rest).units, as: UTF16.self)
  }

  private static func isLanguageCode(_ code: some Collection<UInt8>) -> Bool {
    (1...63).contains(code.count)
      && code.allSatisfy { $0 == UInt8(ascii: "-") || ASCII.isAlphanumeric($0) }
  }
}
