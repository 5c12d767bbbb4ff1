import JSON
import JobLists
import Ledger
import LedgerSQLite
import Provisioning
import Readers
import SeriesReports
import TagMemory
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An event of a line of stations, or the result of the whole run.
struct LineJSON: OutputDocument {
  struct JobJSON: Encodable {
    var number: Int
    var name: String?
    var columns: [String: String]?

    init(_ job: PlannedJob) {
      self.init(number: job.number, name: job.name, columns: job.columns)
    }

    init(number: Int, name: String, columns: [PlannedJob.Column]) {
      (self.number, self.name) = (number, name)
      self.columns = Dictionary(columns.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Of a job of which the number alone is known.
    init(number: Int) { self.number = number }
  }

  var command = "provision"
  /// `tag`, `inspection`, `early`, `several`, `scanned`, `printer`, `printerReady`, `readerLost`,
  /// `readerBack`, `recalled` or `summary`.
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
  /// Of a good tag that has to be put on a reader again to be inspected: true.
  var needsInspection: Bool?
  /// `wanted`, `good`, `bad`, `again` (it still waits) or `unknown` (no finished tag).
  var inspection: String?
  /// Stable, for programs.
  var cause: String?
  var message: String?
  var next: String?
  var operations: TagJSON.Operations?
  /// Of a good tag that a phone may not read.
  var findings: [LinkJSON.Finding]?
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
  /// Tags of this run or earlier ones that a pool contradicts; they are not to be used.
  var recalledCount: Int?
  var pending: Int?
  var waitedFor: [String]?
  var inspected: Int?
  var inspectedBad: Int?
  /// Good tags that still wait for their inspection.
  var dueForInspection: [String]?
  var causes: [String: Int]?
  /// By type of tag, the one of most good tags first.
  var types: [TypeCountJSON]?
  var tagsPerHour: Double?
  /// With a label printer: how many labels it printed in this run, and the numbers of the jobs
  /// whose labels may not have been printed, or are not.
  var labelsPrinted: Int?
  var labelsUnsure: [Int]?
  var labelsDue: [Int]?
  /// How many results the command of `--on-result` did not take.
  var resultsNotTaken: Int?
  var error: FailureJSON?

  /// Nil for what only people are told. `advice` words what to do next with a tag.
  init?(_ event: LineEvent, reader: String, advice: (TagOutcome) -> String?) {
    switch event.kind {
    case .ready, .stands, .answered, .same, .found, .scanWanted, .labelScanWanted, .progress,
      .ended:
      return nil
    case .early(let uid, let last):
      self.init(event: "early")
      (self.uid, bin, tagNumber) = (uid.hex, last.bin.rawValue, last.number)
      next = last.orderBeforeNext
    case .scanned(let code, let answer):
      self.init(event: "scanned")
      (self.code, self.answer) = (code, answer.name)
      job = answer.job.map { JobJSON($0) }
    case .codeDropped(let job):
      self.init(event: "codeDropped")
      self.job = JobJSON(number: job.number, name: job.name, columns: job.columns)
    case .scannerLost(let reason):
      self.init(event: "scannerLost")
      message = reason
    case .scannerBack: self.init(event: "scannerBack")
    case .finished(let outcome): self.init(outcome, advice(outcome))
    case .inspection(let inspection): self.init(inspection)
    case .printerWanted(let obstacle):
      self.init(event: "printer")
      (cause, message, next) = (obstacle.cause, obstacle.what, obstacle.next)
    case .printerReady: self.init(event: "printerReady")
    case .severalTags(let uids):
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

  private init(_ outcome: TagOutcome, _ advice: String?) {
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
    // Of a tag that nobody asks for a password it is not known.
    let hasPasswords = outcome.tagType.flatMap(Product.named)?.secretByteCount != nil
    passwordProtected = outcome.written.flatMap {
      $0.isProtected || hasPasswords ? $0.isProtected : nil
    }
    scrap = outcome.isScrap ? true : nil
    needsInspection = outcome.needsInspection ? true : nil
    cause = outcome.trouble?.cause
    message = outcome.trouble?.text
    next = advice
    operations = TagJSON.Operations(
      frames: outcome.counts.frames, authentications: outcome.counts.authentications,
      reads: outcome.counts.reads, writes: outcome.counts.writes, skipped: 0)
    durationMs = Int(outcome.duration / .milliseconds(1))
    steps = Self.milliseconds(outcome.steps)
  }

  private init(_ found: Inspection) {
    self.init(event: "inspection")
    (inspection, uid, tag) = (found.verdict.rawValue, found.uid.hex, found.tagType)
    (tagNumber, bin) = (found.number > 0 ? found.number : nil, found.bin.rawValue)
    job = found.job.map { JobJSON(number: $0.number, name: $0.name, columns: $0.columns) }
    scrap = found.isScrap ? true : nil
    (cause, message, next) = (found.trouble?.cause, found.trouble?.text, found.next)
  }

  /// `ending`: how the run ended, in one word.
  init(
    _ summary: LineSummary, ending: String, recalled: Int = 0, prints: OpenPrints? = nil,
    resultsNotTaken: Int? = nil, failure: FailureJSON?
  ) {
    self.init(event: "summary")
    self.resultsNotTaken = resultsNotTaken
    self.ending = ending
    (passed, failed, held, left) = (summary.passed, summary.failed, summary.held, summary.left)
    (scrapCount, pending) = (summary.scrap, summary.pending)
    recalledCount = recalled > 0 ? recalled : nil
    waitedFor = summary.waitedFor.map(\.hex)
    if summary.inspected > 0 || !summary.dueForInspection.isEmpty {
      (inspected, inspectedBad) = (summary.inspected, summary.inspectedBad)
      dueForInspection = summary.dueForInspection.map(\.hex)
    }
    causes = summary.causes
    types = summary.types.ranked.map(TypeCountJSON.init)
    tagsPerHour = summary.tagsPerHour.map { ($0 * 10).rounded() / 10 }
    durationMs = Int(summary.elapsed / .milliseconds(1))
    steps = Self.milliseconds(summary.steps)
    (labelsPrinted, labelsUnsure) = (prints?.printed, prints?.unsure)
    labelsDue = prints.map { $0.due + $0.tooLong }
    error = failure
  }

  /// A tag of which something else is so than was said: where it goes, and why.
  init(recalled tag: UID?, job number: Int, to bin: TagOutcome.Bin, because text: String) {
    self.init(event: "recalled")
    (uid, self.bin, message) = (tag?.hex, bin.rawValue, text)
    job = JobJSON(number: number)
  }

  private static func milliseconds(_ steps: [Timing.Step]) -> [String: Double] {
    Dictionary(
      steps.map { ($0.name, ($0.duration / .microseconds(1)).rounded() / 1000) },
      uniquingKeysWith: +)
  }
}

extension JobPicks.Answer {
  /// In one word, for programs.
  var name: String {
    switch self {
    case .taken: "taken"
    case .unknown: "unknown"
    case .ambiguous: "ambiguous"
    case .repeated: "repeated"
    case .failed: "failed"
    }
  }
}
