import Bytes
import Traces

/// Tells people how many exchanges a trace answered, and which keys it could not replay.
package struct ReplaySummary: Hashable, Sendable {
  /// Full sentences.
  package let lines: [String]

  init(_ board: ReplayBoard) {
    let counts = board.counts
    var lines = [
      "Replayed: \(counted(counts.asRecorded, "exchange")) in the trace's order"
        + (counts.derived > 0
          ? ", \(counts.derived) from what the trace shows elsewhere of the tag" : "")
        + (board.remaining > 0 ? "; \(board.remaining) of the trace were not asked for." : ".")
    ]
    if !board.standInUses.isEmpty {
      lines.append(
        "Not replayed, as the trace masks them: keys and passwords. "
          + board.standInUses.map(sentence).joined(separator: " "))
    }
    self.lines = lines
  }
}

extension ReplayBoard.Divergence {
  /// Names the command that the trace has no answer to. Its keys and passwords are masked.
  package var text: String {
    let shown = MaskedBytes.text(FrameSecrets.masked(command, isClassic: true))
    return "the trace does not say what the answer to \(shown) is: \(place)"
  }

  /// Names the place in the trace where the run parted from it, as a clause of a sentence.
  package var place: String {
    guard let next else { return "\(reason); the trace ends before its exchange \(number)" }
    let command = next.command.isEmpty ? "an answer alone" : MaskedBytes.text(next.command)
    return "\(reason); exchange \(number) of the trace, line \(next.line), is \(command)"
  }
}
