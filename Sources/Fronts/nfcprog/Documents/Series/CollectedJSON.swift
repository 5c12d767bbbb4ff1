import Bench
import JSON
import Ledger
import LedgerSQLite
import Line
import Provisioning
import SeriesReports
import TagMemory
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A tag on a line that only reads: what `info` says of it, and what the line does.
struct CollectedJSON: OutputDocument {
  /// What the line says of the tag.
  private struct Verdict: Encodable {
    var event = "tag"
    var station: Int
    var tagNumber: Int
    var bin: String
    var reader: String
    var time: String
    var durationMs: Int
    var result: String
    /// `passed` or `failed`.
    var verdict: String
    var cause: String?
    var message: String?
    var next: String?
    var error: FailureJSON?
  }

  private let tag: TagJSON
  private let audit: AuditJSON?
  private let verdict: Verdict

  /// Nil for anything but the end of a tag's reading, with `command`.
  init?(_ event: LineEvent, _ command: String, reader: String) {
    guard case .finished(let outcome) = event.kind, let report = outcome.read else {
      return nil
    }
    tag = TagJSON(command: command, report: report, asking: RemedyText.option)
    let failure = outcome.trouble.map { trouble in
      FailureJSON(
        code: trouble.known.map { ExitStatus($0.readingCode) }?.rawValue ?? ExitStatus.bug.rawValue,
        message: trouble.text)
    }
    audit = outcome.audit.map { audit in
      var object = AuditJSON(report, audit, failure: failure)
      object.command = command
      return object
    }
    verdict = Verdict(
      station: event.station + 1, tagNumber: outcome.number, bin: outcome.bin.rawValue,
      reader: reader, time: outcome.started.formatted(.iso8601),
      durationMs: Int(outcome.duration / .milliseconds(1)),
      result: failure == nil ? "read" : "failed", verdict: outcome.verdict.rawValue,
      cause: outcome.trouble?.cause, message: outcome.trouble?.text, next: outcome.next,
      error: failure)
  }

  func encode(to encoder: any Encoder) throws {
    try tag.encode(to: encoder)
    try audit?.encode(to: encoder)
    try verdict.encode(to: encoder)
  }
}

/// The result of a line that only reads.
struct CollectedSummaryJSON: OutputDocument {
  /// Tags that are not as wanted, by cause.
  var faults: [String: [String]]
  var command: String
  var event = "summary"
  /// `complete`, `idle`, `failures`, `interrupted`, `journal`, `file` or `station`.
  var ending: String
  /// Good tags of this run.
  var passed: Int
  /// Tags that are not as wanted.
  var failed: Int
  /// Tags that the file had before.
  var earlier: Int
  /// With `--expect`: how many tags, and those that did not come.
  var expected: Int?
  var missing: [String]?
  var types: [TypeCountJSON]
  var tagsPerHour: Double?
  var durationMs: Int
  var error: FailureJSON?

  init(_ command: String, _ summary: LineSummary, _ found: CollectionResult, _ end: LineConclusion)
  {
    (self.command, ending, error) = (command, end.ending, end.failure)
    (passed, failed, earlier) = (found.good, found.faulty, found.earlier)
    faults = Dictionary(
      found.faults.map { ($0.cause.rawValue, $0.uids.map(\.hex)) }, uniquingKeysWith: +)
    (expected, missing) = (found.expected, found.expected.map { _ in found.missing.map(\.data) })
    types = summary.types.ranked.map(TypeCountJSON.init)
    tagsPerHour = summary.tagsPerHour.map { ($0 * 10).rounded() / 10 }
    durationMs = Int(summary.elapsed / .milliseconds(1))
  }
}
