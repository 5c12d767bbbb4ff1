/// The frames in a report of `bring-up`, by the point that they were sent for.
///
///     read-edge: What does a READ beyond the last page answer?
///       look: 4A 01 00 → 01 01 00 44 00 07 04 …  (21 ms)
enum BringUpText {
  static func session(_ lines: [NumberedLine]) -> RecordedSession {
    var session = RecordedSession()
    var part: String?
    for line in lines {
      guard line.text.hasPrefix("  ") else {
        part = line.text.firstRange(of: ": ").map { String(line.text[..<$0.lowerBound]) }
        continue
      }
      guard let arrow = line.text.firstRange(of: " → ") else { continue }
      let left = line.text[..<arrow.lowerBound]
      guard let colon = left.lastIndex(of: ":"),
        let command = MaskedHex.bytes(left[left.index(after: colon)...]),
        command.first.flatMap(\.self) != nil
      else {
        session.remarks.append(.init(line: line.number, "a frame that is not hexadecimal"))
        continue
      }
      var right = line.text[arrow.upperBound...]
      var duration: Duration?
      if let bracket = right.range(ofLast: "  (") {
        duration = right[bracket.upperBound...].split(separator: " ").first
          .flatMap { $0.count < 12 ? Int($0) : nil }.map { .milliseconds($0) }
        right = right[..<bracket.lowerBound]
      }
      let outcome: RecordedExchange.Outcome =
        MaskedHex.bytes(right).map { .answer($0) } ?? OwnTrace.outcome(String(right))
      session.exchanges.append(
        RecordedExchange(
          line: line.number, duration: duration, command: command, outcome: outcome, part: part))
    }
    return session
  }
}

extension Substring {
  /// Where `text` stands last.
  fileprivate func range(ofLast text: String) -> Range<Index>? { ranges(of: text).last }
}
