/// What a file is by its first bytes, where text in UTF-8 was expected.
package enum ForeignFile {
  /// What begins with `bytes`, for a sentence; nil: perhaps text in UTF-8. Eight bytes are enough.
  package static func name(of bytes: some Sequence<UInt8>) -> String? {
    let bytes = Array(bytes.prefix(8))
    func begins(_ start: UInt8...) -> Bool { bytes.starts(with: start) }
    if begins(0xFF, 0xFE, 0, 0) || begins(0, 0, 0xFE, 0xFF) { return "text in UTF-32" }
    if begins(0xFF, 0xFE) || begins(0xFE, 0xFF) { return "text in UTF-16" }
    if begins(0x50, 0x4B, 3, 4) { return "a workbook of a spreadsheet, or another ZIP file" }
    if begins(0xD0, 0xCF, 0x11, 0xE0) { return "a workbook of an old spreadsheet" }
    // Characters of ASCII, a zero byte beside each.
    guard bytes.count >= 4 else { return nil }
    let pairs = stride(from: 0, to: bytes.count - 1, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
    let isText = { (byte: UInt8) in (0x20..<0x7F).contains(byte) || [9, 10, 13].contains(byte) }
    let isUTF16 =
      pairs.allSatisfy { isText($0.0) && $0.1 == 0 }
      || pairs.allSatisfy { $0.0 == 0 && isText($0.1) }
    return isUTF16 ? "text in UTF-16 without a byte-order mark" : nil
  }
}
