/// Proxmark3's `trace list` of ISO/IEC 14443 type A: a table of frames between reader and tag.
///
///           Start |        End | Src | Data (! denotes parity error)           | CRC | Annotation
///               0 |        992 | Rdr |52(7)                                    |     | WUPA
///            2228 |       4596 | Tag |44  00                                   |     |
///
/// Times are periods of the carrier; with a point in them, microseconds. Under the heading Gap and
/// Duration they count from the end of the frame before. Long frames go on in rows without times.
/// Older versions mark short frames with ', lack a column, or have a list of another form:
///
///      ETU     :nbits: who bytes
///     +      0:    7:     52
///     +    236:    0: TAG 04  00
enum ProxmarkList {
  struct Row {
    /// Nil in a row that goes on with the frame above.
    var head: (direction: FrameDirection, start: Duration, end: Duration)?
    var bytes: [UInt8]
    var hasParityError: Bool
    /// The times count from the end of the frame before.
    var isRelative = false
  }

  /// Returns what a line of the table shows; nil for all others.
  static func row(_ line: some StringProtocol) -> Row? {
    if let row = oldRow(line) { return row }
    let columns = line.split(separator: "|", omittingEmptySubsequences: false)
    guard columns.count >= 4 else { return nil }
    let cells = columns.map { $0.split(whereSeparator: \.isWhitespace) }
    guard let (bytes, hasError) = bytes(cells[3]), !bytes.isEmpty else { return nil }
    if cells[0].isEmpty, cells[1].isEmpty, cells[2].isEmpty {
      return Row(head: nil, bytes: bytes, hasParityError: hasError)
    }
    guard cells[0].count == 1, cells[1].count == 1, cells[2].count == 1,
      let start = time(cells[0][0]), let end = time(cells[1][0])
    else { return nil }
    let direction: FrameDirection
    switch cells[2][0].lowercased() {
    case "rdr": direction = .toTag
    case "tag": direction = .fromTag
    default: return nil
    }
    return Row(head: (direction, start, end), bytes: bytes, hasParityError: hasError)
  }

  /// `93  20`, `00!` (a parity error), `52(7)` (seven bits).
  private static func bytes(_ cells: [some StringProtocol]) -> (bytes: [UInt8], hasError: Bool)? {
    var (bytes, hasError): ([UInt8], Bool) = ([], false)
    for cell in cells {
      var digits = cell.prefix { $0.isASCII && $0.isHexDigit }
      let rest = cell.dropFirst(digits.count)
      guard rest.allSatisfy({ "!'()0123456789".contains($0) }), !digits.isEmpty,
        digits.count.isMultiple(of: 2) || digits.count == 1
      else { return nil }
      hasError = hasError || rest.contains("!")
      while !digits.isEmpty {
        guard let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
        bytes.append(byte)
        digits = digits.dropFirst(2)
      }
    }
    return (bytes, hasError)
  }

  /// A row of the oldest form: periods of 128 carrier cycles since the frame before.
  private static func oldRow(_ line: some StringProtocol) -> Row? {
    let text = line.drop { $0.isWhitespace }
    guard text.first == "+" else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 3, let gap = time(parts[0].drop { $0 == " " }),
      parts[1].allSatisfy({ $0 == " " || $0.isNumber })
    else { return nil }
    var cells = parts[2].split(whereSeparator: \.isWhitespace)
    let isTag = cells.first?.lowercased() == "tag"
    if isTag { cells.removeFirst() }
    let end = cells.firstIndex { !$0.allSatisfy { $0.isHexDigit || $0 == "!" } } ?? cells.endIndex
    guard let (bytes, hasError) = bytes(cells[..<end].map { $0 }), !bytes.isEmpty else {
      return nil
    }
    let start = gap * 128
    return Row(
      head: (isTag ? .fromTag : .toTag, start, start), bytes: bytes, hasParityError: hasError,
      isRelative: true)
  }

  private static func time(_ text: some StringProtocol) -> Duration? {
    guard text.count < 20, let value = Double(text), abs(value) < 1e15 else { return nil }
    return .microseconds(text.contains(".") ? value : value / 13.56)
  }

  static func session(_ lines: [NumberedLine]) -> RecordedSession {
    var frames = AirFrames()
    var current: AirFrame?
    var remarks: [RecordedSession.Remark] = []
    // How much later the frames are than their rows say.
    var (hasGaps, now) = (false, Duration.zero)
    for line in lines {
      if line.text.contains("Gap"), line.text.contains("Duration"), line.text.contains("Src") {
        hasGaps = true
      }
      guard let row = row(line.text) else { continue }
      if row.hasParityError {
        remarks.append(.init(line: line.number, "a byte has a parity error"))
      }
      guard let head = row.head else {
        current?.bytes += row.bytes
        continue
      }
      if let current { frames.add(current) }
      var (start, end) = (head.start, head.end)
      if hasGaps || row.isRelative {
        start = now + head.start
        end = start + (row.isRelative ? .zero : head.end)
        now = end
      }
      current = AirFrame(
        line: line.number, direction: head.direction, bytes: row.bytes, start: start, end: end,
        isPartial: row.hasParityError)
    }
    if let current { frames.add(current) }
    var session = frames.session()
    session.remarks = (remarks + session.remarks).sorted { $0.line < $1.line }
    return session
  }
}
