import Provisioning
import TagMemory
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `audit` says of a tag.
struct AuditFinding {
  let audit: TagAudit
  /// `agrees`, `differs`, `unfinished`, `scrap`, `copy` or `unknown`.
  let state: String
  let sentence: String
  let status: ExitStatus

  init(of uid: UID, holding message: [UInt8], in journal: Journal) throws(JournalError) {
    audit = try journal.audit(uid, holding: message)
    switch audit {
    case .agrees(let tag):
      (state, status) = ("agrees", .success)
      sentence =
        "job \(tag.job.number), \(tag.job.name), as it was written on \(tag.when.formatted(.iso8601)) "
        + "by \(tag.operatorName) at \(tag.reader)\(tag.uri.map { ": \($0)" } ?? "")"
    case .differs(let tag):
      (state, status) = ("differs", .mismatch)
      sentence =
        "It is the tag of job \(tag.job.number), \(tag.job.name), but its content differs from what was written on "
        + "\(tag.when.formatted(.iso8601))."
    case .unfinished(let tag, let isThere):
      (state, status) = ("unfinished", .tagTrouble)
      sentence =
        "Job \(tag.job.number), \(tag.job.name), was started on it and not finished"
        + (isThere ? "; its message is there" : "")
        + ". Put it on a reader where nfcprog provision runs."
    case .scrap(let tag):
      (state, status) = ("scrap", .badInput)
      sentence =
        "It was set aside on \(tag.when.formatted(.iso8601)) and must not be used: \(tag.trouble.text)"
    case .copy(let job):
      (state, status) = ("copy", .mismatch)
      sentence = "It holds the message of job \(job), which is on another tag: it is a copy."
    case .unknown:
      (state, status) = ("unknown", .badInput)
      sentence = "The journal lists neither this tag nor its message."
    }
  }
}

/// The same as JSON.
struct AuditJSON: Encodable {
  var command = "audit"
  var uid: String?
  var tag: String?
  var result: String
  var state: String
  var job: LineJSON.JobJSON?
  var copyOfJob: Int?
  var uri: String?
  var records: [RecordJSON]
  var `operator`: String?
  var reader: String?
  var written: String?
  var locked: Bool?
  var error: TagJSON.Failure?

  init(_ report: TagReport, _ finding: AuditFinding) {
    uid = report.target?.uid.hex
    tag = report.product?.name
    state = finding.state
    result = finding.status == .success ? "read" : "failed"
    records = report.message?.records.map(RecordJSON.init) ?? []
    switch finding.audit {
    case .agrees(let written), .differs(let written):
      job = LineJSON.JobJSON(written.job)
      (uri, `operator`, reader) = (written.uri, written.operatorName, written.reader)
      (self.written, locked) = (written.when.formatted(.iso8601), written.isLocked)
    case .unfinished(let reserved, _): job = LineJSON.JobJSON(reserved.job)
    case .copy(let number): copyOfJob = number
    case .scrap, .unknown: break
    }
    if finding.status != .success {
      error = TagJSON.Failure(code: finding.status.rawValue, message: finding.sentence)
    }
  }
}
