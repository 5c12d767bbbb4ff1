import Bytes

/// Debugging logs of programs that show the bytes of their line: `TX:` and `RX:` (libnfc), `>>>`
/// and `<<<` (nfcpy). Whatever stands before a mark, and every other line, is the log's own.
enum HostLog {
  private static let marks: [(text: String, direction: FrameDirection, format: TraceFormat)] = [
    ("TX:", .toTag, .libnfc), ("RX:", .fromTag, .libnfc),
    (">>> ", .toTag, .nfcpy), ("<<< ", .fromTag, .nfcpy),
  ]

  /// A line's bytes; nil where it shows none.
  private static func bytes(
    in line: some StringProtocol
  ) -> (bytes: [UInt8], direction: FrameDirection, format: TraceFormat)? {
    for mark in marks {
      guard let range = line.firstRange(of: mark.text) else { continue }
      // Some logs end a line with the time-out or a remark.
      var digits = ""
      for word in line[range.upperBound...].split(whereSeparator: \.isWhitespace) {
        guard word.count.isMultiple(of: 2), word.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
          break
        }
        digits += word
      }
      guard let bytes = try? Hex.bytes(digits), !bytes.isEmpty else { continue }
      return (bytes, mark.direction, mark.format)
    }
    return nil
  }

  /// Which program's log has such a line; nil: any may.
  static func format(of line: some StringProtocol) -> TraceFormat? { bytes(in: line)?.format }

  static func session(_ lines: [NumberedLine], _ format: TraceFormat) -> RecordedSession {
    var host = HostFrames()
    for line in lines {
      if let found = bytes(in: line.text) {
        host.add(
          found.bytes, found.direction, line: line.number, time: milliseconds(in: line.text))
      } else if format == .libnfc, line.text.contains("Timeout!") {
        host.timeOut()
      }
    }
    return host.session()
  }

  /// The time at the start of a line: `626 ms [nfc.clf.transport] >>> …`.
  private static func milliseconds(in line: some StringProtocol) -> Duration? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "ms", words[0].count < 15 else { return nil }
    return Double(words[0]).flatMap { $0 >= 0 && $0 < 1e12 ? .microseconds($0 * 1000) : nil }
  }
}
