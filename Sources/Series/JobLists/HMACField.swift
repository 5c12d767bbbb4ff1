import Bytes
import CardCrypto
import RecordText

/// `{hmac:FILE:N}`: what only somebody with a key can make of the tag's UID; `{hmac.COLUMN:FILE:N}`
/// of a value of the row.
///
/// HMAC-SHA-256 over the UID's bytes or the value's UTF-8, of which the first 5·N bits stand in
/// `CodeAlphabet`.
package struct HMACField: Hashable, Sendable {
  /// What the code is over.
  enum Input: Hashable, Sendable {
    case uid
    /// The value of a column, which is not known yet.
    case column(String)
    case value([UInt8])
  }

  let input: Input
  /// The file with the key.
  package let file: String
  /// How many characters of the code are taken.
  let count: Int

  /// From 40 bits to all that the code has.
  package static let counts = 8...51
  /// 130 bits.
  private static let usual = 26

  init(_ input: Input, file: String, count: Int) {
    (self.input, self.file, self.count) = (input, file, count)
  }

  /// What stands between braces; nil where it is none. Fails for a length that there is not, and
  /// where no file is named.
  init?(_ text: String) throws(RecordTextError) {
    guard text.hasPrefix("hmac"), let colon = text.firstIndex(of: ":") else { return nil }
    let kind = text[..<colon].dropFirst("hmac".utf8.count)
    switch kind.first {
    case nil: input = .uid
    case ".": input = .column(String(kind.dropFirst()))
    case "=":
      guard let bytes = try? Hex.bytes(kind.dropFirst()) else { return nil }
      input = .value(bytes)
    default: return nil
    }
    var name = text[text.index(after: colon)...]
    var count = Self.usual
    if let last = name.lastIndex(of: ":"), let number = Int(name[name.index(after: last)...]) {
      (count, name) = (number, name[..<last])
    }
    guard !name.isEmpty, Self.counts.contains(count) else {
      throw RecordTextError(
        .badInput,
        "{\(RecordTextError.plain(text))} is not a field: {hmac:FILE:N} names the file with the key, and N is 8 to 51."
      )
    }
    (file, self.count) = (String(name), count)
  }

  /// The field for a row that has `value` in its column.
  func over(_ value: String) -> String {
    "{hmac=\(Hex.string(value.utf8)):\(file):\(count)}"
  }

  /// Its text on the tag with these fields. Fails where the key cannot be read.
  func text(
    _ fields: TagFields, reading read: (String) throws(RecordTextError) -> [UInt8]
  ) throws(RecordTextError) -> String {
    let message: [UInt8]
    switch input {
    case .uid: message = fields.uid.bytes
    case .value(let bytes): message = bytes
    case .column(let name):
      throw RecordTextError(.badInput, "There is no column \(RecordTextError.quoted(name)).")
    }
    let key = try Self.key(in: read(file), of: file)
    return CodeAlphabet.text(of: HMAC.code(of: message, key: key), count: count)
  }

  /// The key in a file: 16 to 64 bytes in hexadecimal digits. Fails for anything else, of which it
  /// says nothing.
  package static func key(in file: [UInt8], of name: String) throws(RecordTextError) -> [UInt8] {
    let digits = String(decoding: file, as: UTF8.self).filter { !$0.isWhitespace }
    guard let key = try? Hex.bytes(digits), (16...64).contains(key.count) else {
      throw RecordTextError(
        .badInput,
        "\(name) has no key: 32 to 128 hexadecimal digits, such as openssl rand -hex 32 makes.")
    }
    return key
  }
}

extension MessageTemplate {
  /// The files with the keys of its `{hmac…}`.
  package var keyFiles: [String] {
    records.flatMap { record in
      ((try? Template(record.text))?.fields ?? []).compactMap { name in
        ((try? HMACField(name)) ?? nil)?.file
      }
    }
  }
}
