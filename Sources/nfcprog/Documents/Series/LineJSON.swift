import Ledger
import Provisioning
import Readers
import TagMemory
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An event of a line of stations, or the result of the whole run.
package struct LineJSON: WireDocument {
  package struct JobJSON: Encodable {
    package var number: Int
    package var name: String?
    package var columns: [String: String]?

    package init(_ job: PlannedJob) {
      self.init(number: job.number, name: job.name, columns: job.columns)
    }

    package init(number: Int, name: String, columns: [PlannedJob.Column]) {
      (self.number, self.name) = (number, name)
      self.columns = Dictionary(columns.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Of a job of which the number alone is known.
    package init(number: Int) { self.number = number }
  }

  /// How many tags of one type were good, failed or were left alone.
  package struct TypeCount: Encodable {
    /// Absent: not told.
    package var tag: String?
    package var written: Int
    package var failed: Int
    package var left: Int

    package init(_ type: String, _ counts: Figures.Counts) {
      tag = type.isEmpty ? nil : type
      (written, failed, left) = (counts.written, counts.failed, counts.left)
    }
  }

  package var command = "provision"
  /// `tag`, `inspection`, `early`, `several`, `scanned`, `printer`, `printerReady`, `readerLost`,
  /// `readerBack`, `recalled` or `summary`.
  package var event: String
  /// From 1.
  package var station: Int?
  /// The tag's number at its station in this run, from 1.
  package var tagNumber: Int?
  /// Where it goes: `good`, `again`, `bin` or `aside`.
  package var bin: String?
  package var reader: String?
  /// What was scanned, and whether it was `taken`, `unknown`, `ambiguous`, `repeated` or `failed`.
  package var code: String?
  package var answer: String?
  /// When the tag came, UTC.
  package var time: String?
  package var uid: String?
  package var uids: [String]?
  package var tag: String?
  /// As for one tag: `written`, `unchanged` or `failed`.
  package var result: String?
  /// `passed`, `failed`, `held` or `left`.
  package var verdict: String?
  package var job: JobJSON?
  package var uri: String?
  package var length: Int?
  package var verified: Bool?
  package var locked: Bool?
  package var passwordProtected: Bool?
  package var scrap: Bool?
  /// Of a good tag that has to be put on a reader again to be inspected: true.
  package var needsInspection: Bool?
  /// `wanted`, `good`, `bad`, `again` (it still waits) or `unknown` (no finished tag).
  package var inspection: String?
  /// Stable, for programs.
  package var cause: String?
  package var message: String?
  package var next: String?
  package var operations: TagJSON.Operations?
  /// Of a good tag that a phone may not read.
  package var findings: [LinkJSON.Finding]?
  package var durationMs: Int?
  /// Milliseconds by step.
  package var steps: [String: Double]?

  // The summary.
  package var ending: String?
  package var passed: Int?
  package var failed: Int?
  package var held: Int?
  package var left: Int?
  package var scrapCount: Int?
  /// Tags of this run or earlier ones that a pool contradicts; they are not to be used.
  package var recalledCount: Int?
  package var pending: Int?
  package var waitedFor: [String]?
  package var inspected: Int?
  package var inspectedBad: Int?
  /// Good tags that still wait for their inspection.
  package var dueForInspection: [String]?
  package var causes: [String: Int]?
  /// By type of tag, the one of most good tags first.
  package var types: [TypeCount]?
  package var tagsPerHour: Double?
  /// With a label printer: how many labels it printed in this run, and the numbers of the jobs
  /// whose labels may not have been printed, or are not.
  package var labelsPrinted: Int?
  package var labelsUnsure: [Int]?
  package var labelsDue: [Int]?
  /// How many results the command of `--on-result` did not take.
  package var resultsNotTaken: Int?
  package var error: FailureJSON?

  /// Nil for what only people are told. `advice` words what to do next with a tag.
  package init?(_ event: LineEvent, reader: String, advice: (TagOutcome) -> String?) {
    switch event.kind {
    case .ready, .stands, .answered, .same, .found, .scanWanted, .progress, .ended:
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
    passwordProtected = outcome.written?.isProtected
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
  package init(
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
    types = summary.types.ranked.map(TypeCount.init)
    tagsPerHour = summary.tagsPerHour.map { ($0 * 10).rounded() / 10 }
    durationMs = Int(summary.elapsed / .milliseconds(1))
    steps = Self.milliseconds(summary.steps)
    (labelsPrinted, labelsUnsure) = (prints?.printed, prints?.unsure)
    labelsDue = prints.map { $0.due + $0.tooLong }
    error = failure
  }

  /// A tag of which something else is so than was said: where it goes, and why.
  package init(recalled tag: UID?, job number: Int, to bin: TagOutcome.Bin, because text: String) {
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
  package var name: String {
    switch self {
    case .taken: "taken"
    case .unknown: "unknown"
    case .ambiguous: "ambiguous"
    case .repeated: "repeated"
    case .failed: "failed"
    }
  }
}
