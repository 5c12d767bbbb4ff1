import Bytes

/// Files that are to hold one message, byte for byte.
package enum MessageFile {
  /// What `bytes`, which are no message, are instead, and what to do: a clause; nil where that
  /// cannot be told.
  package static func mistake(in bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "the file is empty" }
    if let start = valueOfTLV(in: bytes) {
      return
        "the file holds TLVs, as the memory of a tag does: leave out the first \(counted(start.lowerBound, "byte")) and what follows the \(counted(start.count, "byte")) of the message"
    }
    if bytes.count > 2, Int(bytes[0]) << 8 | Int(bytes[1]) == bytes.count - 2,
      isMessage(bytes[2...])
    {
      return
        "the file begins with the length of a Type 4 tag's file: leave out its first 2 bytes"
    }
    if let kind = ForeignFile(bytes) { return "the file is \(kind.name), and not bytes" }
    if isHex(bytes) {
      return "the file is hexadecimal text, and not bytes: xxd -r -p FILE makes bytes of it"
    }
    if bytes.starts(with: "Filetype:".utf8) || bytes.starts(with: "+Sector".utf8)
      || bytes.count >= 64 && bytes[12] == 0xE1
    {
      return "the file is the dump of a whole tag: restore takes it"
    }
    return nil
  }

  /// Where the message is in `bytes`, if they are TLVs (NFC Forum Type 2 Tag 1.1, 2.3).
  private static func valueOfTLV(in bytes: [UInt8]) -> Range<Int>? {
    var offset = 0
    while offset < bytes.count {
      let tag = bytes[offset]
      if tag == 0 {
        offset += 1
        continue
      }
      guard [1, 2, 3, 0xFD].contains(tag), offset + 1 < bytes.count else { return nil }
      var start = offset + 2
      var count = Int(bytes[offset + 1])
      if count == 0xFF, offset + 3 < bytes.count {
        (start, count) = (offset + 4, Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
      }
      guard start + count <= bytes.count else { return nil }
      if tag == 3 { return isMessage(bytes[start..<start + count]) ? start..<start + count : nil }
      offset = start + count
    }
    return nil
  }

  private static func isMessage(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.isEmpty || RawMessage(parsing: bytes).faults.isEmpty
  }

  private static func isHex(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    let digits = text.filter { !$0.isWhitespace && $0 != ":" }
    return digits.count >= 6 && digits.count % 2 == 0
      && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
