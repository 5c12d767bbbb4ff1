/// Comma-separated values as RFC 4180 has them, a line feed after each record.
enum CSV {
  /// One record with its line feed; fields are quoted where they need it.
  static func record(_ fields: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(0x2C) }
      append(field, to: &bytes)
    }
    bytes.append(0x0A)
    return bytes
  }

  /// Over bytes, not characters: a line break of two bytes is one character.
  static func append(_ field: String, to bytes: inout [UInt8]) {
    let text = field.utf8
    let isQuoted = text.first == 0x20 || text.last == 0x20 || text.contains(where: needsQuotes)
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

/// Finds the records of such a file as it comes, piece by piece.
struct CSVScanner {
  private var fields: [[UInt8]] = []
  private var field: [UInt8] = []
  private var isQuoted = false
  /// The last byte was a quote in a quoted field: its end, or the first of two that stand for one.
  private var endsQuoted = false
  private var offset: UInt64 = 0
  /// Where the last whole record ends.
  private(set) var end: UInt64 = 0
  /// A record has more bytes than any of ours: what is read is something else, and is looked at no further.
  private(set) var isTooLong = false

  /// A job list's row has 65,536 bytes at most, and quotes may double them.
  static let longestRecord: UInt64 = 200_000

  /// Whether something stands after the last whole record.
  var isTorn: Bool { end != offset }

  /// Takes the next piece, and gives each record that it ends to `take`.
  mutating func scan(
    _ bytes: some Sequence<UInt8>, _ take: (_ fields: [String]) -> Void
  ) {
    for byte in bytes {
      offset += 1
      guard offset - end <= Self.longestRecord else {
        isTooLong = true
        return
      }
      if endsQuoted {
        endsQuoted = false
        if byte == 0x22 {
          field.append(byte)
          continue
        }
        isQuoted = false
      }
      switch byte {
      case 0x22 where isQuoted: endsQuoted = true
      case 0x22 where field.isEmpty: isQuoted = true
      case 0x2C where !isQuoted: endField()
      case 0x0A where !isQuoted:
        endField()
        take(fields.map { String(decoding: $0, as: UTF8.self) })
        fields = []
        end = offset
      default: field.append(byte)
      }
    }
  }

  private mutating func endField() {
    fields.append(field)
    field = []
  }
}
