import Bytes

extension TraceFile {
  /// Reads a file, whatever its format: it is known by the lines that it has. Throws `foreign`
  /// where it has none of a trace, and `badLine`.
  package init(parsing bytes: some Sequence<UInt8>) throws(TraceError) {
    let bytes = Array(bytes)
    if let foreign = ForeignFile(bytes) { throw .badLine(1, "the file is \(foreign.name)") }
    let lines = NumberedLine.lines(of: bytes)
    guard let format = lines.lazy.compactMap({ Self.format(of: $0.text) }).first else {
      throw .foreign
    }
    let sessions: [RecordedSession] =
      switch format {
      case .nfcprog: [try OwnTrace.session(lines)]
      case .captures: try CaptureLines.sessions(lines)
      case .libnfc, .nfcpy: [HostLog.session(lines, format)]
      case .proxmark: [ProxmarkList.session(lines)]
      case .bringUp: [BringUpText.session(lines)]
      }
    self.init(format: format, sessions: sessions)
  }

  /// What kind of file has a line like this one; nil: any may.
  private static func format(of line: some StringProtocol) -> TraceFormat? {
    if line.hasPrefix("{") {
      if OwnTrace.isLine(line) { return .nfcprog }
      return CaptureLines.isLine(line) ? .captures : nil
    }
    if line.hasPrefix("Bring-up of ") { return .bringUp }
    if ProxmarkList.row(line) != nil { return .proxmark }
    return HostLog.format(of: line)
  }
}

/// A line of a file, without what ends it.
struct NumberedLine: Hashable {
  /// Counted from 1.
  let number: Int
  let text: Substring
  /// Whether something ends it: the last line of a program that died has no end.
  let isWhole: Bool

  /// Lines may end with LF or CR LF; a byte-order mark and a quotation's `> ` are left out.
  static func lines(of bytes: [UInt8]) -> [NumberedLine] {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      var piece = piece
      if piece.last == UInt8(ascii: "\r") { piece = piece.dropLast() }
      var text = String(decoding: piece, as: UTF8.self)[...]
      if text.hasPrefix("> ") { text = text.dropFirst(2) }
      return NumberedLine(number: index + 1, text: text, isWhole: index + 1 < pieces.count)
    }
  }
}

/// Hexadecimal text in traces: two digits a byte, `**` for one that was masked.
enum MaskedHex {
  /// The bytes, or nil where the text is none; blanks between bytes do not matter.
  static func bytes(_ text: some StringProtocol) -> [UInt8?]? {
    var result: [UInt8?] = []
    var high: Character?
    for character in text where character != " " {
      guard let first = high else {
        high = character
        continue
      }
      high = nil
      if first == "*", character == "*" {
        result.append(nil)
        continue
      }
      guard first.isASCII, character.isASCII, let upper = first.hexDigitValue,
        let lower = character.hexDigitValue
      else { return nil }
      result.append(UInt8(upper << 4 | lower))
    }
    return high == nil ? result : nil
  }
}
