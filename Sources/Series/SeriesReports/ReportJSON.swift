import Bytes
import Foundation
import JSON
import JobLists
import Ledger
import LedgerSQLite
import TagMemory

/// A report as JSON Lines: the summary, then an object for every job, then one for every tag that
/// was presented.
package struct ReportJSON: ReportRenderer {
  package init() {}

  package func head(_ report: Report) -> String { JSONLine.text(SummaryJSON(report)) + "\n" }
  package func row(_ row: ReportRow) -> String { JSONLine.text(RowJSON(row)) + "\n" }
}

/// What the journal has of one job, or of one tag that was presented.
private struct RowJSON: OutputDocument {
  var type: ReportRow.Subject
  var job: Int?
  var name: String?
  var line: Int?
  var outcome: String
  var uid: String?
  var tag: String?
  var uri: String?
  var length: Int?
  var sha256: String?
  var locked: Bool?
  var protected: Bool?
  var time: String?
  var durationMs: Double?
  var attempts: Int?
  var station: String?
  var reader: String?
  var `operator`: String?
  var cause: String?
  var text: String?
  /// Which keys the job's tag was given last, said without a secret.
  var keys: KeysJSON?
  /// `good`, `bad` or `pending`.
  var inspection: String?
  var columns: [String: String]?
  var stepsMs: [String: Double]?

  init(_ row: ReportRow) {
    (type, job, name, line) = (row.subject, row.job, row.name, row.line)
    (outcome, uid, tag) = (row.outcome, row.uid?.hex, row.tagType)
    (uri, length, sha256) = (row.uri, row.length, row.digest.map { Hex.string($0) })
    (locked, protected) = (row.isLocked, row.isProtected)
    (time, durationMs) = (row.time?.reportText, row.duration?.reportMilliseconds)
    (attempts, station, reader) = (row.attempts, row.station, row.reader)
    (self.operator, cause, text) = (row.operatorName, row.trouble?.cause, row.trouble?.text)
    (keys, inspection) = (row.keys.map { KeysJSON($0) }, row.inspection)
    if !row.columns.isEmpty {
      columns = Dictionary(row.columns.map { ($0.name, $0.value) }) { first, _ in first }
    }
    if !row.steps.isEmpty {
      stepsMs = Dictionary(row.steps.map { ($0.name, $0.duration.reportMilliseconds) }) { $1 }
    }
  }
}

/// The figures of a whole series.
private struct SummaryJSON: OutputDocument {
  struct Cause: Encodable {
    package var cause: String
    package var count: Int
    package var example: String
  }
  struct Reader: Encodable {
    package var reader: String
    package var written: Int
    package var failed: Int
    package var left: Int
    package var meanMs: Double
  }
  struct Step: Encodable {
    package var step: String
    package var count: Int
    package var meanMs: Double
    package var longestMs: Double
  }
  struct Period: Encodable {
    package var start: String
    package var written: Int
    package var failed: Int
  }
  struct Shift: Encodable {
    package var `operator`: String
    package var begun: String
    package var ended: String
    package var written: Int
    package var failed: Int
    package var left: Int
    package var pauseSeconds: Int
    package var hourlyRate: Double?
  }
  struct Pause: Encodable {
    package var begun: String
    package var seconds: Int
  }
  struct SetAside: Encodable {
    package var uid: String
    package var tag: String?
    package var time: String
    package var job: Int?
    package var station: String?
    package var `operator`: String
    package var cause: String
    package var text: String
  }
  struct Inspections: Encodable {
    var good: Int
    var bad: Int
    var pending: Int
  }
  /// How many labels a printer has taken, and the jobs of those that may not have been printed, or
  /// are not.
  struct Labels: Encodable {
    var printed: Int
    var unsure: [Int]
    var due: [Int]
  }
  struct Problem: Encodable {
    package var code: String
    package var text: String
  }

  var type = "summary"
  var journal: String
  var created: String
  var source: String?
  var jobs: Int
  var pending: Int
  var reserved: Int
  var written: Int
  var failedJobs: Int
  var scrap: Int
  var attempts: Int
  var failedAttempts: Int
  var leftAlone: Int
  var yield: Double?
  /// By type of tag, the one of most good tags first.
  var types: [TypeCountJSON]
  /// By the clock; `workingRate`: without the pauses.
  var hourlyRate: Double?
  var workingRate: Double?
  var pauseSeconds: Int
  var pauses: [Pause]
  var shifts: [Shift]
  /// By name.
  var settings: [String: String]
  var columns: [String]
  var listSHA256: String?
  var versions: [String]
  var locked: Int
  var protected: Int
  /// The first 2,000 of each; the rows on tags have all of them.
  var scrapTags: [SetAside]
  var releasedTags: [SetAside]
  var released: Int
  var meanMs: Double
  var longestMs: Double
  var first: String?
  var last: String?
  var operators: [String]
  var sessions: Int
  var complete: Bool
  var failures: [Cause]
  var reasons: [Cause]
  var readers: [Reader]
  var steps: [Step]
  var periodSeconds: Int
  var periods: [Period]
  /// With the number of finished tags that have them; absent where tags were given none.
  var keys: [KeysJSON]?
  /// Absent where nothing was to be inspected.
  var inspections: Inspections?
  /// Absent where no label was to be printed.
  var labels: Labels?
  /// Absent where the journal has no event or contradicts itself.
  var head: Head?
  var inconsistencies: [Problem]

  /// SHA-256 of the head that `journal prove` signs, and of how many events it is.
  struct Head: Encodable {
    var events: Int
    var sha256: String
  }

  init(_ report: Report) {
    func causes(_ causes: [Figures.NamedCause]) -> [Cause] {
      causes.map { Cause(cause: $0.name, count: $0.count, example: $0.example ?? "") }
    }
    (journal, created, source) = (report.journal, report.created.reportText, report.source?.name)
    let tally = report.tally
    (jobs, pending, reserved) = (tally.jobs, tally.pending, tally.reserved)
    (written, failedJobs, scrap) = (tally.written, tally.failed, tally.scrap)
    (attempts, failedAttempts, leftAlone) = (report.attempts, report.failed, report.leftAlone)
    (yield, hourlyRate) = (report.yield, report.hourlyRate)
    types = report.figures.types(good: report.goodTypes).map(TypeCountJSON.init)
    workingRate = report.workingRate
    pauseSeconds = Int(report.pauseTime / .seconds(1))
    pauses = report.pauses.map {
      Pause(begun: $0.begun.reportText, seconds: Int($0.length / .seconds(1)))
    }
    shifts = report.shifts.map {
      Shift(
        operator: $0.operatorName, begun: $0.begun.reportText, ended: $0.ended.reportText,
        written: $0.written, failed: $0.failed, left: $0.left,
        pauseSeconds: Int($0.pauses / .seconds(1)), hourlyRate: $0.hourlyRate)
    }
    settings = Dictionary((report.source?.settings ?? []).map { ($0.name, $0.value) }) { $1 }
    (columns, listSHA256) = (report.columns, report.listDigest)
    versions = Array(Set(report.sessions.map(\.version))).sorted()
    (locked, protected) = (report.locked, report.protected)
    func setAside(_ list: Report.SetAsideList) -> [SetAside] {
      list.tags.map {
        SetAside(
          uid: $0.uid.hex, tag: $0.tagType, time: $0.when.reportText, job: $0.job,
          station: $0.station, operator: $0.operatorName, cause: $0.trouble.cause,
          text: $0.trouble.text)
      }
    }
    (scrapTags, releasedTags) = (setAside(report.scrap), setAside(report.released))
    released = report.released.count
    meanMs = report.meanDuration.reportMilliseconds
    longestMs = report.longestDuration.reportMilliseconds
    (first, last) = (report.first?.reportText, report.last?.reportText)
    (operators, sessions, complete) = (report.operators, report.sessions.count, report.isComplete)
    (failures, reasons) = (causes(report.failures), causes(report.reasons))
    readers = report.readers.map {
      Reader(
        reader: $0.name, written: $0.written, failed: $0.failed, left: $0.left,
        meanMs: $0.meanDuration.reportMilliseconds)
    }
    steps = report.steps.map {
      Step(
        step: $0.name, count: $0.count, meanMs: $0.mean.reportMilliseconds,
        longestMs: $0.longest.reportMilliseconds)
    }
    periodSeconds = Int(report.periodLength.components.seconds)
    periods = report.periods.map {
      Period(start: $0.start.reportText, written: $0.written, failed: $0.failed)
    }
    if !report.keys.isEmpty { keys = report.keys.map { KeysJSON($0.identity, tags: $0.tags) } }
    let found = report.inspections
    if !found.isEmpty {
      inspections = Inspections(good: found.good, bad: found.bad, pending: found.due)
    }
    let prints = report.prints
    if !prints.isEmpty || prints.printed > 0 {
      labels = Labels(printed: prints.printed, unsure: prints.unsure, due: prints.due)
    }
    head = report.head.map { Head(events: $0.events, sha256: $0.digest) }
    inconsistencies = report.inconsistencies.map { Problem(code: $0.code, text: $0.text) }
  }
}
