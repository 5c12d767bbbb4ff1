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
        guard word.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { break }
        // A line that was cut off may end within a byte.
        guard word.count.isMultiple(of: 2) else {
          if word.count > 2 { digits += word.dropLast() }
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

  /// The time of a line: `626 ms [nfc.clf.transport] >>> …` at its start, or `12:00:01,250` and the
  /// like in front of the mark.
  private static func milliseconds(in line: some StringProtocol) -> Duration? {
    let words = line.split(separator: " ", maxSplits: 5)
    if words.count > 2, words[1] == "ms" {
      guard words[0].count < 15 else { return nil }
      return Double(words[0]).flatMap { $0 >= 0 && $0 < 1e12 ? .microseconds($0 * 1000) : nil }
    }
    return words.prefix(3).lazy.compactMap { timeOfDay($0) }.first
  }

  /// `12:00:01,250`, in brackets or without, behind a date and a T or alone.
  private static func timeOfDay(_ word: some StringProtocol) -> Duration? {
    let text = word.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "Z" && $0 != "+" }
    let clock = text.split(separator: "T").last ?? ""
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.count < 12 && $0.first?.isNumber == true }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), (0...23).contains(hours),
      (0...59).contains(minutes), parts[2].contains(where: { $0 == "," || $0 == "." }),
      let seconds = Double(String(parts[2].map { $0 == "," ? "." : $0 })),
      (0..<61).contains(seconds)
    else { return nil }
    return .seconds(hours * 3600 + minutes * 60) + .microseconds(seconds * 1_000_000)
  }
}
