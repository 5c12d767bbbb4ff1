#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `--trace` writes (Docs/Formats.md), alone or within a problem report's text.
enum OwnTrace {
  private struct Line: Decodable {
    var time: Double?
    var durationMs: Double?
    var command: String
    var answer: String?
    var error: String?
  }

  /// Returns whether `line` looks like one, sound or not.
  static func isLine(_ line: some StringProtocol) -> Bool {
    Header.isLine(line)
      || line.hasPrefix("{") && line.contains("\"command\"")
        && (line.contains("\"durationMs\"") || line.contains("\"answer\"")
          || line.contains("\"error\"") || line.contains("\"schema\""))
  }

  /// Returns whether a problem report begins with `line`.
  static func isReport(_ line: some StringProtocol) -> Bool {
    line.hasPrefix("Problem report of ")
  }

  /// Lines that begin with a brace are the trace's; all others, as of a report, are not looked at.
  /// The last line may have been cut off. Throws `badLine`.
  static func session(_ lines: [NumberedLine]) throws(TraceError) -> RecordedSession {
    var session = RecordedSession()
    session.isMasked = true
    var first: Double?
    // It has other objects, of readers.
    let isReport = lines.contains { Self.isReport($0.text) }
    for line in lines where line.text.hasPrefix("{") && !(isReport && !isLine(line.text)) {
      guard let read = try? JSONDecoder().decode(Line.self, from: Data(line.text.utf8)) else {
        if Header.isLine(line.text) { continue }
        guard line.isWhole else {
          session.remarks.append(.init(line: line.number, "the line is cut off"))
          continue
        }
        throw .badLine(line.number, "it is no exchange of a trace")
      }
      guard let command = MaskedHex.bytes(read.command), command.first.flatMap(\.self) != nil,
        let answer = MaskedHex.bytes(read.answer ?? "")
      else { throw .badLine(line.number, "command and answer are not hexadecimal") }
      // What no file can mean, and no number holds.
      let time = read.time.flatMap { abs($0) < 1e12 ? $0 : nil }
      if first == nil { first = time }
      var outcome = read.answer == nil ? RecordedExchange.Outcome.untold : .answer(answer)
      if read.answer == nil, let error = read.error { outcome = Self.outcome(error) }
      session.exchanges.append(
        RecordedExchange(
          line: line.number,
          start: time.flatMap { time in first.map { .microseconds((time - $0) * 1_000_000) } },
          duration: read.durationMs.flatMap {
            (0..<1e9).contains($0) ? .microseconds($0 * 1000) : nil
          },
          command: command, outcome: outcome))
    }
    return session
  }

  /// The first line of a file that `report-problem --replayable` writes.
  enum Header {
    static func isLine(_ line: some StringProtocol) -> Bool {
      line.hasPrefix("{") && line.contains("\"replayable\":")
    }
  }

  /// Returns what an error of the program's own says: the words of `ReaderError`.
  static func outcome(_ error: String) -> RecordedExchange.Outcome {
    let words: [(String, RecordedExchange.Outcome)] = [
      ("does not answer", .silence), ("sent a damaged answer", .damaged),
      ("does not support this command", .refused), ("is gone", .lost),
      ("interrupted", .interrupted),
    ]
    return words.first { error.contains($0.0) }?.1 ?? .failed(error)
  }
}
