import Bench
import Bytes
import Ledger
import Line
import Provisioning
import TagMemory

extension LineConclusion {
  /// The conclusion of a run that only reads. `count`: how many good tags were asked for.
  init(_ summary: LineSummary, reading found: CollectionResult, count: Int?) {
    let isShort = count.map { found.good < $0 } ?? (found.good + found.earlier == 0)
    let status: ExitStatus
    let ending: String
    var sentences: [String] = []
    switch summary.ending {
    case .complete: ending = "complete"
    case .failures:
      ending = "failures"
      sentences.append("Ended after \(counted(summary.failed, "tag")) not as wanted.")
    case .interrupted:
      ending = "interrupted"
      if isShort { sentences.append("Interrupted.") }
    case .idle:
      ending = "idle"
      let away = summary.lostReaders.joined(separator: ", ")
      if !away.isEmpty { sentences.append("Away: \(away).") }
      if isShort || !found.missing.isEmpty {
        sentences.append("No further tag was presented in time.")
      }
    case .inspection, .journal, .labels, .collection, .stationFell:
      self.init(summary, defective: 0, isAll: false)
      return
    }
    if isShort, case .interrupted = summary.ending {
      status = .interrupted
    } else if !summary.lostReaders.isEmpty {
      status = .unavailable
    } else if let cause = found.faults.first?.cause {
      status = ExitStatus(cause.readingCode)
    } else {
      status = isShort || !found.missing.isEmpty ? .noTag : .success
    }
    self.init(
      ending, status,
      (sentences + Self.faults(found) + Self.missing(found)).joined(separator: " "))
  }

  /// `2 tags are not as wanted: 1 of the wrong type (04:A1:…), 1 read before (04:A2:…).`
  private static func faults(_ found: CollectionResult) -> [String] {
    guard found.faulty > 0 else {
      return found.good + found.earlier > 0 ? ["Each tag that was read is as wanted."] : []
    }
    let kinds = found.faults.map { fault in
      "\(fault.uids.count) \(fault.cause.row.counted) (\(listed(fault.uids.map(\.description))))"
    }
    return [
      "\(counted(found.faulty, "tag")) \(isAre(found.faulty)) not as wanted: \(kinds.joined(separator: ", "))."
    ]
  }

  private static func missing(_ found: CollectionResult) -> [String] {
    guard let expected = found.expected else { return [] }
    guard !found.missing.isEmpty else {
      return ["All \(counted(expected, "expected tag")) came."]
    }
    let count = found.missing.count
    return [
      "\(count) of \(counted(expected, "expected tag")) did not come: \(listed(found.missing.map(\.description)))."
    ]
  }

  private static func listed(_ names: [String]) -> String {
    let more = names.count > 10 ? " and \(names.count - 10) more" : ""
    return names.prefix(10).joined(separator: ", ") + more
  }
}
