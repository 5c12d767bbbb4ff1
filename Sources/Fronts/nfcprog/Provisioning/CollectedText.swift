import Bench
import Bytes
import Line
import Provisioning

/// The result of a run that only reads, for people.
enum CollectedText {
  static func lines(_ outcome: CollectingRun.Outcome, file: String?) -> [String] {
    let (summary, found) = (outcome.summary, outcome.found)
    var lines = ["\(found.good) good, \(found.faulty) not."]
    let types = summary.types.ranked.filter { $0.counts.written > 0 }
    if !types.isEmpty {
      let words = types.map { "\($0.counts.written) \($0.type.isEmpty ? "not named" : $0.type)" }
      lines.append("By type: " + words.joined(separator: ", ") + ".")
    }
    if let rate = summary.tagsPerHour {
      lines.append("In \(LiveView.clock(summary.elapsed)), \(Int(rate)) tags an hour.")
    }
    if let file {
      let earlier = found.earlier > 0 ? ", \(found.earlier) of them from before" : ""
      lines.append("\(file) has \(counted(found.good + found.earlier, "tag"))\(earlier).")
    }
    return lines
  }
}
