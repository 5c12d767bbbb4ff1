import Bytes
import Foundation

/// A report as comma-separated values: a row for every job, then one for every tag that was presented.
public struct ReportCSV: ReportRenderer {
  public init() {}

  static let columns = [
    "row", "job", "name", "line", "outcome", "uid", "tag", "uri", "length", "sha256", "locked",
    "protected", "time", "duration_ms", "attempts", "station", "reader", "operator", "cause",
    "text",
  ]

  public func head(_ report: Report) -> String { record(Self.columns) }

  public func row(_ row: ReportRow) -> String {
    record([
      row.subject.rawValue, text(row.job), row.name ?? "", text(row.line), row.outcome,
      row.uid?.hex ?? "", row.tagType ?? "", row.uri ?? "", text(row.length),
      row.digest.map { Hex.string($0) } ?? "", text(row.isLocked), text(row.isProtected),
      row.time?.reportText ?? "", row.duration.map { String($0.reportMilliseconds) } ?? "",
      text(row.attempts), row.station ?? "", row.reader ?? "", row.operatorName ?? "",
      row.trouble?.cause ?? "", row.trouble?.text ?? "",
    ])
  }

  private func record(_ fields: [String]) -> String {
    String(decoding: CSV.record(fields), as: UTF8.self)
  }

  private func text(_ number: Int?) -> String { number.map { String($0) } ?? "" }
  private func text(_ flag: Bool?) -> String { flag.map { $0 ? "yes" : "no" } ?? "" }
}

extension Date {
  /// `2026-11-21T19:04:05.123Z`: to the millisecond, in UTC.
  var reportText: String {
    formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension Duration {
  /// Milliseconds, to the thousandth.
  var reportMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
