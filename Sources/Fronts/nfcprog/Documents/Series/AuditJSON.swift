import JSON
import LedgerSQLite
import Provisioning
import SeriesReports
import TagMemory
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a journal says of a tag that was read.
struct AuditJSON: OutputDocument {
  var command = "audit"
  var uid: String?
  var tag: String?
  var result: String
  /// `agrees`, `differs`, `unfinished`, `scrap`, `copy`, `random-uid` or `unknown`.
  var state: String
  var job: LineJSON.JobJSON?
  var copyOfJob: Int?
  var uri: String?
  var records: [RecordJSON]
  var `operator`: String?
  var reader: String?
  var written: String?
  /// Is true of a tag from the field that holds again what it held before its change.
  var putBack: Bool?
  /// In what the tag differs: `content`, `type`, `locked`, …
  var differences: [String]?
  /// What the tag shows, as `info` says it.
  var locked: Bool?
  var passwordProtected: Bool?
  /// What the journal has of it.
  var journalLocked: Bool?
  var journalProtected: Bool?
  /// Which keys the tag was given, said without a secret.
  var keys: KeysJSON?
  /// Says whether the proofs of a tag with keys were checked; absent for a tag without.
  var proofChecked: Bool?
  /// Its last inspection: `good`, `bad` or `pending`.
  var inspection: String?
  var error: FailureJSON?

  init(
    _ report: TagReport, _ audit: TagAudit, keys: GivenKeys? = nil,
    provedBy proofKeys: (any ProofKeys)? = nil,
    inspection: InspectionRecord? = nil, failure: FailureJSON?
  ) {
    self.keys = keys.map { KeysJSON($0.keys) }
    proofChecked = keys.map { _ in proofKeys != nil }
    self.inspection = inspection.map { $0.isGood.map { $0 ? "good" : "bad" } ?? "pending" }
    uid = report.target?.uid.hex
    tag = report.product?.name
    state = audit.state
    putBack = audit.isPutBack ? true : nil
    result = failure == nil ? "read" : "failed"
    (locked, passwordProtected) = (report.isLocked, report.isPasswordProtected)
    records = report.message?.records.map(RecordJSON.init) ?? []
    switch audit {
    case .agrees(let written), .differs(let written, _):
      job = LineJSON.JobJSON(written.job)
      // What the tag says, whatever the journal has.
      uri = JournalSession.link(in: report.content.stored ?? [])
      (`operator`, reader) = (written.operatorName, written.reader)
      self.written = written.when.formatted(.iso8601)
      (journalLocked, journalProtected) = (written.isLocked, written.isProtected)
    case .unfinished(let reserved, _): job = LineJSON.JobJSON(reserved.job)
    case .copy(let number): copyOfJob = number
    case .scrap, .randomUID, .unknown: break
    }
    if case .differs(_, let found) = audit { differences = found.map(\.code) }
    error = failure
  }
}

extension TagAudit {
  /// In one word, for programs.
  var state: String {
    switch self {
    case .agrees: "agrees"
    case .differs: "differs"
    case .unfinished: "unfinished"
    case .scrap: "scrap"
    case .copy: "copy"
    case .randomUID: "random-uid"
    case .unknown: "unknown"
    }
  }
}
