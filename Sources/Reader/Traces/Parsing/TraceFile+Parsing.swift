import Bytes

extension TraceFile {
  /// Reads a file, whatever its format: it is known by the lines that it has. Throws `foreign`
  /// where it has none of a trace, and `badLine`.
  package init(parsing bytes: some Sequence<UInt8>) throws(TraceError) {
    let bytes = NumberedLine.utf8(Array(bytes))
    if let foreign = ForeignFile(bytes) { throw .badLine(1, "the file is \(foreign.name)") }
    let lines = NumberedLine.lines(of: bytes)
    if let long = lines.first(where: { $0.text.utf8.count > NumberedLine.longest }) {
      throw .badLine(long.number, "no line of a trace has more than \(NumberedLine.longest) bytes")
    }
    guard let format = lines.lazy.compactMap({ Self.format(of: $0.text) }).first else {
      throw .foreign
    }
    try Self.checkMixture(lines, format)
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

  /// Throws `badLine` for the first line that is another program's: which of both a frame was sent
  /// by, and when, nobody could tell. Reports quote what they like.
  private static func checkMixture(
    _ lines: [NumberedLine], _ format: TraceFormat
  ) throws(TraceError) {
    guard format != .bringUp, !lines.contains(where: { OwnTrace.isReport($0.text) }) else { return }
    // A line in braces that is none of the format's is refused with its own reason.
    let hasBraces = format == .nfcprog || format == .captures
    for line in lines where !(hasBraces && line.text.hasPrefix("{")) {
      guard let other = Self.format(of: line.text), other != format else { continue }
      throw .badLine(
        line.number, "it is of \(other.name), and lines before it are of \(format.name)")
    }
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
  /// Is true if something ends it: the last line of a program that died has no end.
  let isWhole: Bool

  /// Bytes of a line: many times what the longest capture has.
  static let longest = 1_000_000

  /// Lines may end with LF or CR LF; a byte-order mark, a terminal's colours and a quotation's `> `
  /// are left out.
  static func lines(of bytes: [UInt8]) -> [NumberedLine] {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      var piece = piece
      if piece.last == UInt8(ascii: "\r") { piece = piece.dropLast() }
      if piece.contains(0x1B) { piece = withoutColours(piece)[...] }
      var text = String(decoding: piece, as: UTF8.self)[...]
      if text.hasPrefix("> ") { text = text.dropFirst(2) }
      return NumberedLine(number: index + 1, text: text, isWhole: index + 1 < pieces.count)
    }
  }
}

extension NumberedLine {
  /// Returns the text in UTF-8: a shell of Windows writes UTF-16.
  fileprivate static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isLowFirst = bytes.starts(with: [0xFF, 0xFE])
    guard isLowFirst || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (one, two) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLowFirst ? two << 8 | one : one << 8 | two
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Without control sequences: ESC, a bracket, and what follows up to a letter (ECMA-48, 5.4).
  private static func withoutColours(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var (result, isSequence) = ([UInt8](), false)
    var rest = line
    while let byte = rest.popFirst() {
      if isSequence {
        isSequence = !(0x40...0x7E).contains(byte)
      } else if byte == 0x1B {
        isSequence = rest.first == UInt8(ascii: "[")
        if isSequence { rest.removeFirst() }
      } else {
        result.append(byte)
      }
    }
    return result
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
