import LedgerSQLite
import Provisioning
import SeriesReports

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TagAudit {
  /// Returns what the journal says of the tag, in a sentence. `link`: the one that was read from
  /// the tag; a journal keeps none of a whole memory.
  func sentence(reading link: String?) -> String {
    switch self {
    case .agrees(let tag):
      "job \(tag.job.number), \(tag.job.name), "
        + (tag.isPutBack
          ? "put back: it holds what it held before its change, as it was written on "
          : "as it was written on ") + "\(tag.when.reportLocal) "
        + "by \(tag.operatorName) at \(tag.reader)\(link.map { ": \($0)" } ?? "")"
        + (tag.uri == nil || tag.uri == link
          ? "" : " The journal has another link for it: see nfcprog journal verify.")
    case .differs(let tag, let differences):
      "It is the tag of job \(tag.job.number), \(tag.job.name), but "
        + TagDifference.clause(differences, since: tag.when.reportLocal) + "."
    case .unfinished(let tag, let isThere):
      "Job \(tag.job.number), \(tag.job.name), was started on it and not finished"
        + (isThere ? "; its message is there" : "")
        + ". Put it on a reader where nfcprog provision runs."
    case .scrap(let tag):
      "It was set aside on \(tag.when.reportLocal) and must not be used: \(tag.why)"
    case .copy(let job):
      "It holds the message of job \(job), which is on another tag: it is a copy."
    case .randomUID(let job):
      "It has a random UID and holds the message of job \(job): give --keys, which tell if it is that job's tag."
    case .unknown: "The journal lists neither this tag nor its message."
    }
  }
}

extension InspectionRecord {
  /// What the tag's last inspection has found, in a sentence.
  var sentence: String {
    guard let isGood, let when else { return "The tag waits for its inspection." }
    let place = "on \(when.reportLocal) at \(reader ?? "a reader")"
    return isGood
      ? "It was inspected \(place) and was good."
      : "It was inspected \(place) and was bad: \(trouble?.text ?? "")"
  }
}
