import Ledger
import Provisioning

/// The result of a run, for people.
enum SummaryText {
  static func lines(_ summary: LineSummary) -> [String] {
    var lines = ["\(summary.passed) passed, \(summary.failed) failed, \(summary.left) not written"]
    if summary.held > 0 { lines[0] += ", \(summary.held) to put on the reader again" }
    if summary.scrap > 0 { lines[0] += "; \(summary.scrap) set aside as scrap" }
    lines[0] += "."
    if summary.inspected > 0 {
      lines.append("Inspected: \(summary.inspected), \(summary.inspectedBad) of them bad.")
    }
    let causes = summary.causes.filter { $0.key != LineSummary.several }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !causes.isEmpty {
      let words = causes.map { name, count in
        "\(count) \((TagCause(rawValue: name)?.row ?? TagCause.unnamed).counted)"
      }
      lines.append("Causes: " + words.joined(separator: ", ") + ".")
    }
    if let count = summary.causes[LineSummary.several] {
      lines.append(
        "Several tags lay on a reader at once: \(count == 1 ? "once" : "\(count) times").")
    }
    let types = summary.types.ranked.filter { $0.counts.written > 0 }
    if !types.isEmpty {
      let words = types.map {
        "\($0.counts.written) \($0.type.isEmpty ? "of a type that was not told" : $0.type)"
      }
      lines.append("By type: " + words.joined(separator: ", ") + ".")
    }
    if let rate = summary.tagsPerHour {
      lines.append("In \(LiveView.clock(summary.elapsed)), \(Int(rate)) tags an hour.")
    }
    if summary.passed > 0 {
      let steps = summary.steps.sorted { $0.duration > $1.duration }.prefix(5)
      let words = steps.map { "\($0.name) \(milliseconds($0.duration / summary.passed))" }
      lines.append("A good tag took: " + words.joined(separator: ", ") + ".")
    }
    return lines
  }

  /// `12.3 ms`
  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
