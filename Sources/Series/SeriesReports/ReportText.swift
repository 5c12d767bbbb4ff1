import Bytes
import Foundation
import Ledger
import LedgerSQLite

extension Report {
  /// The figures in lines for a terminal.
  public var lines: [String] {
    var lines = [verdict, "  \(tally.summary)"]
    if let first, let last {
      lines.append(
        "  from \(first.reportMinute) to \(last.reportMinute) \(ReportTime.zone), "
          + "\(Self.number(sessions.count, "session")), \(operators.joined(separator: ", "))"
          .escapingControls)
    }
    if let yield {
      lines.append(
        "  yield \(Self.percent(yield)): \(Self.number(successes)) of \(Self.number(attempts, "attempt"))"
      )
    }
    if successes > 0 {
      lines.append(
        "  \(meanDuration.reportText) a tag, the longest \(longestDuration.reportText)")
    }
    if let hourlyRate {
      lines.append("  \(Self.number(Int(hourlyRate))) tags an hour by the clock\(pauseText)")
    }
    lines.append("Settings")
    lines += settings.map { "  \($0.name): \($0.value)".escapingControls }
    lines += Self.table("Failures", failures)
    lines += Self.table("Skipped", reasons)
    if readers.count > 1 || failed > 0 {
      lines.append("Readers")
      lines += readers.map {
        "  \($0.name.escapingControls): \(Self.number($0.written)) written, \(Self.number($0.failed)) failed, "
          + "\($0.meanDuration.reportText) a tag"
      }
    }
    if !steps.isEmpty {
      lines.append("Slowest steps")
      lines += steps.prefix(6).map {
        "  \($0.name.escapingControls): \($0.mean.reportText), the longest \($0.longest.reportText)"
      }
    }
    if shifts.count > 1 {
      lines.append("Shifts")
      lines += shifts.suffix(20).map(\.line)
    }
    lines += Self.list("Scrap tags, worn or damaged: discard them", worn)
    lines += Self.list("Scrap tags, released: do not use them", released)
    lines += inspectionLines
    lines += labelLines
    if !reserved.isEmpty {
      lines.append("Reserved")
      lines += reserved.prefix(20).map(\.line)
      if reserved.count > 20 { lines.append("  and \(reserved.count - 20) more") }
    }
    if let head { lines.append("Head of \(Self.number(head.events, "event")): \(head.digest)") }
    lines += inconsistencies.isEmpty ? [] : ["Inconsistencies"]
    lines += inconsistencies.map { "  \($0.text)".escapingControls }
    return lines
  }

  /// One sentence.
  public var verdict: String {
    let state =
      if tally.jobs == 0 {
        "no jobs yet."
      } else if isComplete {
        "complete, \(Self.number(tally.jobs, "job")) on as many tags."
      } else {
        "\(Self.number(tally.written)) of \(Self.number(tally.jobs, "job")) on tags.\(putBackText)"
      }
    return "\(journal.escapingControls): \(state)"
      + (inconsistencies.isEmpty ? "" : " The journal is inconsistent.")
  }

  /// The text counts the tags that hold what they held before the series. It is empty for none.
  var putBackText: String {
    putBack > 0
      ? " \(Self.number(putBack, "tag")) \(putBack == 1 ? "was" : "were") put back: undone." : ""
  }

  /// What pauses there were, behind the rate.
  private var pauseText: String {
    guard let workingRate, !pauses.isEmpty else { return "" }
    let count = Self.number(pauses.count, "pause")
    return ", \(Self.number(Int(workingRate))) without \(count) of \(pauseTime.reportSpan) in all"
  }

  /// How many good tags there were of each type: `1,980 ntag213, 20 classic1k`; nil: none.
  var typeText: String? {
    guard !goodTypes.isEmpty else { return nil }
    return goodTypes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { type, count in
      "\(Self.number(count)) \(type.isEmpty ? "of a type that was not told" : type)"
    }.joined(separator: ", ")
  }

  private static func list(_ title: String, _ list: SetAsideList) -> [String] {
    guard list.count > 0 else { return [] }
    let more = list.count > 20 ? ["  and \(number(list.count - 20)) more"] : []
    return ["\(title): \(number(list.count))"] + list.tags.prefix(20).map(\.line) + more
  }

  private static func table(_ title: String, _ causes: [Figures.NamedCause]) -> [String] {
    guard !causes.isEmpty else { return [] }
    let width = causes.map { number($0.count).count }.max() ?? 0
    return [title]
      + causes.map {
        let count = number($0.count)
        let padding = String(repeating: " ", count: width - count.count)
        return "  \(padding)\(count) \($0.name): \($0.example ?? "")".escapingControls
      }
  }

  /// `12,345`.
  static func number(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return (value < 0 ? "-" : "") + digits
  }

  static func number(_ value: Int, _ noun: String) -> String {
    "\(number(value)) \(noun)\(value == 1 ? "" : "s")"
  }

  /// Rounded, but that 100 % means all.
  static func percent(_ share: Double) -> String {
    let tenths = share < 1 ? min(Int((share * 1000).rounded()), 999) : 1000
    return "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Tally {
  /// `1 pending, 0 reserved, 12 written, 0 failed; 1 scrap tag`.
  public var summary: String {
    "\(Report.number(pending)) pending, \(Report.number(reserved)) reserved, \(Report.number(written)) written, "
      + "\(Report.number(failed)) failed; \(Report.number(scrap, "scrap tag"))"
  }
}

extension Report.SetAside {
  fileprivate var line: String {
    let job = job.map { ", for job \($0)" } ?? ""
    return "  \(uid), \(when.reportMinute)\(job): \(trouble.text)".escapingControls
  }
}

extension Report.Shift {
  fileprivate var line: String {
    let rate = hourlyRate.map { ", \(Report.number(Int($0))) an hour by the clock" } ?? ""
    let pauses = pauses > .zero ? ", pauses of \(pauses.reportSpan)" : ""
    return
      ("  \(operatorName), \(begun.reportMinute) to \(ended.reportMinute): \(Report.number(written)) written, "
      + "\(Report.number(failed)) failed\(rate)\(pauses)").escapingControls
  }
}

extension ReservedTag {
  fileprivate var line: String {
    let why =
      switch holder {
      case .nobody:
        trouble.map { $0.known == .lost ? "it was removed: \($0.text)" : $0.text }
          ?? "it was removed"
      case .gone: "its run was interrupted"
      case .working(let station, let process):
        "station \(station) of process \(process) works on it"
      case .unknown(let host): "it was on \(host)"
      }
    return "  job \(job.number), \(job.name), for tag \(uid): \(why)".escapingControls
  }
}

extension Duration {
  /// `1.2 s` or `34 ms`.
  var reportText: String {
    let milliseconds = self / .milliseconds(1)
    if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
    if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }

  /// `1:05 h` or `12 min`.
  var reportSpan: String {
    let minutes = Int((self / .seconds(60)).rounded())
    return minutes < 60
      ? "\(minutes) min" : "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60) h"
  }
}
