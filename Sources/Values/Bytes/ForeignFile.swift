/// What a file is by its first bytes, where text in UTF-8 was expected.
package enum ForeignFile: Sendable {
  case utf32
  /// `isMarked`: it begins with a byte-order mark.
  case utf16(isMarked: Bool)
  /// Or another ZIP file.
  case workbook
  case oldWorkbook

  /// Names the kind of file that begins with `bytes` (eight are enough); nil: it may be UTF-8.
  package init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes.prefix(8))
    func begins(_ start: UInt8...) -> Bool { bytes.starts(with: start) }
    if begins(0xFF, 0xFE, 0, 0) || begins(0, 0, 0xFE, 0xFF) {
      self = .utf32
    } else if begins(0xFF, 0xFE) || begins(0xFE, 0xFF) {
      self = .utf16(isMarked: true)
    } else if begins(0x50, 0x4B, 3, 4) {
      self = .workbook
    } else if begins(0xD0, 0xCF, 0x11, 0xE0) {
      self = .oldWorkbook
    } else if Self.isBareUTF16(bytes) {
      self = .utf16(isMarked: false)
    } else {
      return nil
    }
  }

  /// Characters of ASCII, a zero byte beside each.
  private static func isBareUTF16(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    let pairs = stride(from: 0, to: bytes.count - 1, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
    let isText = { (byte: UInt8) in (0x20..<0x7F).contains(byte) || [9, 10, 13].contains(byte) }
    return pairs.allSatisfy { isText($0.0) && $0.1 == 0 }
      || pairs.allSatisfy { $0.0 == 0 && isText($0.1) }
  }

  /// For a sentence.
  package var name: String {
    switch self {
    case .utf32: "text in UTF-32"
    case .utf16(isMarked: true): "text in UTF-16"
    case .utf16(isMarked: false): "text in UTF-16 without a byte-order mark"
    case .workbook: "a workbook of a spreadsheet, or another ZIP file"
    case .oldWorkbook: "a workbook of an old spreadsheet, or one with a password"
    }
  }
}
