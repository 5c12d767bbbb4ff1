import Provisioning
import Readers
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An event of a line as `--json` prints it; what is nil is absent.
struct LineJSON: Encodable {
  struct JobJSON: Encodable {
    var number: Int
    var name: String
    var columns: [String: String]

    init(_ job: PlannedJob) { self.init(number: job.number, name: job.name, columns: job.columns) }

    init(number: Int, name: String, columns: [PlannedJob.Column]) {
      (self.number, self.name) = (number, name)
      self.columns = Dictionary(columns.map { ($0.name, $0.value) }) { first, _ in first }
    }
  }

  var command = "provision"
  /// `tag`, `early`, `several`, `scanned`, `readerLost`, `readerBack` or `summary`.
  var event: String
  /// From 1.
  var station: Int?
  /// The tag's number at its station in this run, from 1.
  var tagNumber: Int?
  /// Where it goes: `good`, `again`, `bin` or `aside`.
  var bin: String?
  var reader: String?
  /// What was scanned, and whether it was `taken`, `unknown`, `ambiguous`, `repeated` or `failed`.
  var code: String?
  var answer: String?
  /// When the tag came, UTC.
  var time: String?
  var uid: String?
  var uids: [String]?
  var tag: String?
  /// As for one tag: `written`, `unchanged` or `failed`.
  var result: String?
  /// `passed`, `failed`, `held` or `left`.
  var verdict: String?
  var job: JobJSON?
  var uri: String?
  var length: Int?
  var verified: Bool?
  var locked: Bool?
  var passwordProtected: Bool?
  var scrap: Bool?
  /// Stable, for programs.
  var cause: String?
  var message: String?
  var next: String?
  var operations: TagJSON.Operations?
  var durationMs: Int?
  /// Milliseconds by step.
  var steps: [String: Double]?

  // The summary.
  var ending: String?
  var passed: Int?
  var failed: Int?
  var held: Int?
  var left: Int?
  var scrapCount: Int?
  var pending: Int?
  var waitedFor: [String]?
  var causes: [String: Int]?
  var tagsPerHour: Double?
  var error: TagJSON.Failure?

  /// Nil for what only people are told.
  init?(_ event: LineEvent, reader: String) {
    switch event.kind {
    case .ready, .stands, .answered, .same, .found, .scanWanted, .progress, .ended:
      return nil
    case .early(let uid):
      self.init(event: "early")
      self.uid = uid.hex
    case .scanned(let code, let answer):
      self.init(event: "scanned")
      (self.code, self.answer) = (code, ScanText.name(answer))
      job = ScanText.job(answer).map { JobJSON($0) }
    case .finished(let outcome): self.init(outcome)
    case .crowd(let uids):
      self.init(event: "several")
      self.uids = uids.map(\.hex)
    case .lost(let reason):
      self.init(event: "readerLost")
      message = reason
    case .back: self.init(event: "readerBack")
    }
    station = event.station + 1
    self.reader = reader
  }

  private init(event: String) { self.event = event }

  private init(_ outcome: TagOutcome) {
    self.init(event: "tag")
    uid = outcome.uid.hex
    tag = outcome.tagType
    verdict = outcome.verdict.rawValue
    (tagNumber, bin) = (outcome.number, outcome.bin.rawValue)
    time = outcome.started.formatted(.iso8601)
    result = outcome.verdict != .passed ? "failed" : outcome.wasThere ? "unchanged" : "written"
    job = outcome.job.map { JobJSON(number: $0.number, name: $0.name, columns: $0.columns) }
    uri = outcome.written?.uri
    length = outcome.written?.length
    verified = outcome.verdict == .passed
    locked = outcome.written?.isLocked
    passwordProtected = outcome.written?.isProtected
    scrap = outcome.isScrap ? true : nil
    cause = outcome.trouble?.cause
    message = outcome.trouble?.text
    next = outcome.advice
    operations = TagJSON.Operations(
      frames: outcome.counts.frames, authentications: outcome.counts.authentications,
      reads: outcome.counts.reads, writes: outcome.counts.writes, skipped: 0)
    durationMs = Int(outcome.duration / .milliseconds(1))
    steps = Self.milliseconds(outcome.steps)
  }

  init(_ summary: LineSummary, _ conclusion: LineConclusion) {
    self.init(event: "summary")
    ending = conclusion.ending
    (passed, failed, held, left) = (summary.passed, summary.failed, summary.held, summary.left)
    (scrapCount, pending) = (summary.scrap, summary.pending)
    waitedFor = summary.waitedFor.map(\.hex)
    causes = summary.causes
    tagsPerHour = summary.tagsPerHour.map { ($0 * 10).rounded() / 10 }
    durationMs = Int(summary.elapsed / .milliseconds(1))
    steps = Self.milliseconds(summary.steps)
    if conclusion.status != .success {
      error = TagJSON.Failure(code: conclusion.status.rawValue, message: conclusion.sentence)
    }
  }

  private static func milliseconds(_ steps: [Timing.Step]) -> [String: Double] {
    Dictionary(
      steps.map { ($0.name, ($0.duration / .microseconds(1)).rounded() / 1000) },
      uniquingKeysWith: +)
  }
}
