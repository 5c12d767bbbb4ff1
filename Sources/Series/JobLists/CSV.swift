/// Comma-separated values as RFC 4180 has them, a line feed after each record.
package enum CSV {
  /// One record with its line feed; fields are quoted where they need it.
  package static func record(
    _ fields: [String], dividedBy delimiter: UInt8 = TableDialect.plain.delimiter
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(delimiter) }
      append(field, dividedBy: delimiter, to: &bytes)
    }
    bytes.append(0x0A)
    return bytes
  }

  /// Over bytes, not characters: a line break of two bytes is one character.
  package static func append(
    _ field: String, dividedBy delimiter: UInt8, to bytes: inout [UInt8]
  ) {
    let text = field.utf8
    let isQuoted =
      text.first == 0x20 || text.last == 0x20
      || text.contains { $0 == delimiter || needsQuotes($0) }
    guard isQuoted else {
      bytes += text
      return
    }
    bytes.append(0x22)
    for byte in text {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }

  /// Quotes, line breaks, and what programs take for a separator.
  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x22, 0x2C, 0x3B: true
    default: false
    }
  }
}
