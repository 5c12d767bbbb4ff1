import Bench
import Bytes

/// What `bring-up` found out about a reader: for people, for programs, and for a bug report.
package struct BringUpReport: Hashable, Sendable {
  package var reader: String
  /// Nil where no chip has answered.
  package var firmware: String?
  /// Of nfcprog and of libnfc.
  package var version: String
  package var libnfc: String
  /// Which kernel the host has, and which of its drivers the serial line: what the speeds depend
  /// on. Nil where it is not known.
  package var kernel: String?
  package var driver: String?
  package var results: [BoardQuestions.Result]
  package var isInterrupted = false
  /// The settings file that the safe choices were written to.
  package var applied: String?

  package init(
    reader: String, firmware: String?, version: String, libnfc: String,
    results: [BoardQuestions.Result]
  ) {
    (self.reader, self.firmware) = (reader, firmware)
    (self.version, self.libnfc, self.results) = (version, libnfc, results)
  }

  /// The safe choices for this reader.
  package var limits: BoardLimits { BoardQuestions.limits(results) }

  package func count(_ verdict: Judgement.Verdict) -> Int {
    results.count { $0.judgement.verdict == verdict }
  }

  /// One point for people.
  package static func lines(_ result: BoardQuestions.Result) -> [String] {
    let judgement = result.judgement
    let sign =
      switch judgement.verdict {
      case .passed: "passed "
      case .failed: "FAILED "
      case .unclear: "unclear"
      case .skipped: "skipped"
      }
    var lines = ["\(sign)  \(result.name): \(judgement.seen)"]
    guard judgement.verdict == .failed else { return lines }
    lines += [
      "         \(result.question)", "         Expected: \(result.expected).",
      "         Assumed in \(result.place.text).",
    ]
    lines += judgement.remedy.map { ["         Next: \($0)"] } ?? []
    return lines
  }

  /// How each report begins.
  package static let title = "Bring-up of"

  /// The counts, and the settings that follow.
  package var conclusion: [String] {
    var lines = [
      "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.unclear)) unclear, \(count(.skipped)) skipped\(isInterrupted ? "; interrupted" : "")."
    ]
    guard !limits.isEmpty else { return lines }
    lines.append("Safe settings for this reader: " + limits.lines.joined(separator: ", ") + ".")
    lines.append(
      applied.map { "They are written to \($0)." }
        ?? "bring-up --apply writes them to the settings file.")
    return lines
  }

  /// The whole report, with every frame.
  package var text: String {
    var lines = [
      "\(Self.title) \(reader)", "firmware \(firmware ?? "not known")", "nfcprog \(version)",
      "libnfc \(libnfc)", "kernel \(kernel ?? "not known")",
    ]
    lines += driver.map { ["driver of the line \($0)"] } ?? []
    lines.append("")
    for result in results { lines += Self.lines(result) }
    lines += [""] + conclusion
    for result in results where !result.replies.isEmpty {
      lines += ["", "\(result.name): \(result.question)"]
      lines += result.replies.map {
        "  \($0.label): \($0.line)  (\(Int($0.duration / .milliseconds(1))) ms)"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension BoardLimits {
  /// As they stand in the settings file.
  package var lines: [String] {
    [
      speed.map { "baud = \($0.bitsPerSecond)" }, fastReadPages.map { "fast-read = \($0)" },
      hasSlowTags ? "slow-tags = true" : nil,
    ].compactMap(\.self)
  }
}
