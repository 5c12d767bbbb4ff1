import Bench
import Bytes
import Ledger
import Line
import Provisioning
import TagMemory

extension LineConclusion {
  /// The conclusion of a run over tags from the field, which get new links or, where `isBack`,
  /// those that they had. `count`: how many good tags were asked for.
  init(_ summary: LineSummary, rewriting isBack: Bool, count: Int?) {
    let done = summary.causes[TagCause.written.rawValue] ?? 0
    let isShort =
      count.map { summary.passed < $0 } ?? (!isBack && summary.passed + done == 0)
    var sentences: [String] = []
    let ending: String
    switch summary.ending {
    case .complete: ending = "complete"
    case .failures:
      ending = "failures"
      sentences.append("Ended after \(counted(summary.failed + summary.held, "tag")) that failed.")
    case .interrupted: (ending, sentences) = ("interrupted", isShort ? ["Interrupted."] : [])
    case .idle:
      ending = "idle"
      let away = summary.lostReaders.joined(separator: ", ")
      if !away.isEmpty { sentences.append("Away: \(away).") }
      if isShort || summary.pending > 0 {
        sentences.append("No further tag was presented in time.")
      }
    case .inspection, .journal, .labels, .collection, .stationFell:
      self.init(summary, defective: 0, isAll: false)
      return
    }
    let others = summary.causes.filter {
      ![TagCause.written.rawValue, LineSummary.several].contains($0.key)
    }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let status: ExitStatus
    if isShort || summary.pending > 0, case .interrupted = summary.ending {
      status = .interrupted
    } else if !summary.lostReaders.isEmpty {
      status = .unavailable
    } else if !summary.waitedFor.isEmpty {
      status = .tagTrouble
    } else if !summary.lost.isEmpty {
      status = .refused
    } else if let worst = others.first {
      status = ExitStatus(TagCause(rawValue: worst.key)?.readingCode ?? .bug)
    } else {
      status = isShort || summary.pending > 0 ? .noTag : .success
    }
    sentences.append(
      "\(counted(summary.passed, "tag")) \(isBack ? "got back what \(summary.passed == 1 ? "it" : "they") held" : "\(summary.passed == 1 ? "has its" : "have their") new link")."
    )
    if isBack, summary.pending > 0 {
      sentences.append(
        "\(counted(summary.pending, "tag")) did not come; run the same command to continue.")
    }
    if !summary.waitedFor.isEmpty {
      sentences.append(
        "These tags are not finished: \(Self.names(summary.waitedFor)). Put them on a reader again."
      )
    }
    if !summary.lost.isEmpty {
      sentences.append(
        "These tags were set aside and are not as they were: \(Self.names(summary.lost)).")
    }
    self.init(ending, status, sentences.joined(separator: " "))
  }

  private static func names(_ tags: [UID]) -> String {
    tags.prefix(5).map(\.description).joined(separator: ", ")
      + (tags.count > 5 ? " and \(tags.count - 5) more" : "")
  }
}
