import Bench
import Bytes
import Line
import Provisioning
import SeriesReports
import TagMemory
import TagProgramming

/// How a run over a job list ends, in a word, a sentence and an exit status.
struct LineConclusion: Equatable {
  let ending: String
  let sentence: String
  let status: ExitStatus

  /// For programs; nil for success.
  var failure: FailureJSON? {
    status == .success ? nil : FailureJSON(code: status.rawValue, message: sentence)
  }

  init(_ ending: String, _ status: ExitStatus, _ sentence: String) {
    (self.ending, self.status, self.sentence) = (ending, status, sentence)
  }

  /// `defective`: how many jobs no message could be made of; `isAll`: every job was asked for;
  /// `wanted`: how many good tags were asked for, if not all jobs were; `leftWhenClosed`: how many
  /// jobs of a closed batch are on no tag; `begun`: how many of a pool are on tags that are not
  /// finished; `isKept`: a journal knows what was done; `rewrites`: finished tags were written
  /// again, as many as came.
  init(
    _ summary: LineSummary, defective: Int, isAll: Bool, wanted: Int? = nil,
    leftWhenClosed: Int? = nil, begun: Int = 0, isKept: Bool = true, rewrites: Bool = false
  ) {
    let open = Self.open(summary, isKept)
    switch summary.ending {
    case .complete:
      if !summary.waitedFor.isEmpty, summary.pending == 0 {
        self.init("complete", .tagTrouble, "No jobs are pending. \(open)")
      } else if defective > 0 {
        let jobs = defective == 1 ? "1 job makes" : "\(defective) jobs make"
        self.init(
          "complete", .badInput,
          "\(jobs) no message that fits a tag; see nfcprog report. Use --retry-failed to try again."
        )
      } else if isAll, summary.pending > 0 {
        // Another process has given jobs back since.
        self.init("complete", .noTag, open)
      } else if let left = leftWhenClosed, left > 0 {
        self.init(
          "complete", .success,
          "The batch is closed: \(counted(left, "job")) of it \(isAre(left)) on no tag.")
      } else if isAll, begun > 0 {
        self.init(
          "complete", .success,
          "No job is left for this bench: \(counted(begun, "job")) \(isAre(begun)) on \(begun == 1 ? "a tag" : "tags") that another bench has not finished."
        )
      } else if let wanted, summary.passed == 0 {
        self.init(
          "complete", .badInput,
          "No job is left: the list is done, and \(wanted == 1 ? "the tag that --count asks for was not" : "none of the \(wanted) tags that --count asks for was") made."
        )
      } else if let wanted, summary.passed < wanted {
        self.init(
          "complete", .success,
          "Every job is on a tag: the list had \(counted(summary.passed, "job")) left of the \(counted(wanted, "tag")) that --count asks for."
        )
      } else {
        self.init(
          "complete", .success,
          isAll ? "Every job is on a tag." : "The requested number of tags is done.")
      }
    case .idle
    where rewrites && open.isEmpty && summary.passed > 0 && summary.failed + summary.held == 0
      && summary.lostReaders.isEmpty:
      self.init(
        "idle", .success,
        "\(counted(summary.passed, "tag")) \(summary.passed == 1 ? "was" : "were") written; no job is left."
      )
    case .idle:
      let away =
        summary.lostReaders.isEmpty
        ? "" : " Away: \(summary.lostReaders.joined(separator: ", "))."
      self.init(
        "idle", Self.idle(summary),
        "\(Self.missing(summary))\(away)" + (open.isEmpty ? "" : " \(open)"))
    case .failures:
      let status = summary.lastFailure.flatMap { ExitStatus(rawValue: $0.rawValue) }
      self.init(
        "failures", status ?? .tagTrouble,
        "Ended after \(counted(summary.failed + summary.held, "tag")) that failed. \(open)")
    case .inspection(let trouble):
      self.init(
        "inspection", .mismatch,
        "The line stopped because an inspection failed: \(trouble?.text ?? "the tag is not as it was written.") "
          + "Find out why before you run the same command again. \(open)")
    case .interrupted: self.init("interrupted", .interrupted, "Interrupted. \(open)")
    case .journal(let error):
      let failure = BenchError(error)
      self.init("journal", failure.status, "\(failure.message) \(open)")
    case .labels(let error):
      self.init(
        "label", BenchError(error).status,
        "\(error) Run the same command again to add the row. \(open)")
    case .collection(let error):
      self.init("file", BenchError(error).status, "\(error)")
    case .stationFell(let reader):
      self.init(
        "station", .bug,
        "nfcprog stopped work at the reader \(reader) because of a mistake in the program; the other stations have finished their tags. "
          + "What the tag on that reader holds is not known: put it on a reader again in the next run. Report the mistake (nfcprog report-problem). \(open)"
      )
    }
  }

  /// Returns this conclusion for a run in which a file could not be written, and says why.
  func failing(with failure: BenchError) -> LineConclusion {
    LineConclusion(ending, failure.status, "\(sentence) \(failure.message)")
  }

  /// What a run that waited in vain comes to.
  private static func idle(_ summary: LineSummary) -> ExitStatus {
    if !summary.lostReaders.isEmpty { return .unavailable }
    if needsCertainTags(summary) { return .tagTrouble }
    // Another start with the same tags comes to the same.
    if fitsNone(summary) { return .badInput }
    guard summary.passed == 0 else { return .noTag }
    if let kind = summary.lastFailure { return ExitStatus(rawValue: kind.rawValue) ?? .bug }
    return summary.causes[LineSummary.several] == nil ? .noTag : .tagTrouble
  }

  /// Returns whether no new tag is of use: only those that are unfinished or not inspected.
  private static func needsCertainTags(_ summary: LineSummary) -> Bool {
    summary.pending == 0 && !(summary.waitedFor.isEmpty && summary.dueForInspection.isEmpty)
  }

  /// Returns whether nothing is left but jobs that fitted none of the tags that were there.
  private static func fitsNone(_ summary: LineSummary) -> Bool {
    summary.pending > 0 && summary.pending <= summary.unsuited.count
      && summary.waitedFor.isEmpty && summary.dueForInspection.isEmpty
  }

  private static func missing(_ summary: LineSummary) -> String {
    needsCertainTags(summary)
      ? "No tag that the line waits for was presented in time."
      : "No further tag was presented in time."
  }

  private static func open(_ summary: LineSummary, _ isKept: Bool) -> String {
    var sentences: [String] = []
    if summary.pending > 0 {
      let next =
        isKept ? "; run the same command to continue" : "; a run without a journal begins anew"
      sentences.append(
        "\(counted(summary.pending, "job")) \(isAre(summary.pending)) left\(next).")
    }
    if !summary.unsuited.isEmpty {
      sentences += summary.unsuited.prefix(5)
      let more = summary.unsuited.count - 5
      if more > 0 { sentences.append("So do \(counted(more, "row")) more.") }
    }
    if !summary.waitedFor.isEmpty {
      let names = summary.waitedFor.prefix(5).map(\.description).joined(separator: ", ")
      let more = summary.waitedFor.count > 5 ? " and \(summary.waitedFor.count - 5) more" : ""
      sentences.append(
        "These tags may hold an unfinished job: \(names)\(more). Put them on a reader again or, if they are lost, use --release-reserved."
      )
    }
    if !summary.dueForInspection.isEmpty {
      sentences.append(
        "\(Self.names(summary.dueForInspection)) still \(summary.dueForInspection.count == 1 ? "waits" : "wait") "
          + "for inspection: run the same command and put \(summary.dueForInspection.count == 1 ? "it" : "them") on a reader."
      )
    }
    return sentences.joined(separator: " ")
  }

  private static func names(_ uids: [UID]) -> String {
    let names = uids.prefix(5).map(\.description).joined(separator: ", ")
    let more = uids.count > 5 ? " and \(uids.count - 5) more" : ""
    return "\(uids.count == 1 ? "Tag" : "Tags") \(names)\(more)"
  }
}
