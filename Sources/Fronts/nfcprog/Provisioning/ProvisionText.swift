import Bytes
import Line
import Provisioning
import SeriesReports
import Synchronization
import TagProgramming

/// Shows what a run over a job list does, and takes the operator's answers and signals.
final class ProvisionText: Sendable {
  private let console: Console
  private let progress: StartProgress
  /// No bell.
  private let isSilent: Bool
  /// Is true if keys at the terminal answer verdicts; not where it is a scanner.
  private let hasKeys: Bool
  /// Is true if the links are to wake an iPhone's app, which not every iPhone does with a Classic.
  private let warnsOfClassics: Bool
  private let command: String
  private let state = Mutex(State())

  private struct State {
    var output: LineOutput?
    var keys: AnswerKeys?
    var interruption: Interruption?
  }

  init(
    _ console: Console, command: String = "provision", isSilent: Bool, hasKeys: Bool = true,
    warnsOfClassics: Bool = false
  ) {
    self.command = command
    (self.console, self.isSilent, self.hasKeys) = (console, isSilent, hasKeys)
    self.warnsOfClassics = warnsOfClassics
    progress = StartProgress(
      isShown: console.showsProgress && Console.environment["TERM"] != "dumb")
  }

  /// Returns whether the run is to end: somebody asked for it, or nobody takes the results any
  /// more.
  func shouldStop() -> Bool {
    OutputFile.standardOutputIsLost || state.withLock { $0.interruption }?.isRequested == true
  }

  func show(_ event: ProvisioningEvent) {
    switch event {
    case .workBegan(let work, let unit, let count): progress.begin(work, unit, of: count)
    case .workAdvanced(let count): progress.advance(to: count)
    case .workEnded: progress.end()
    case .listChecked(let list): ListRemarks(list: list).show(on: console)
    case .remark(.listUnmarked):
      console.complain(
        "nfcprog: neither the list's folder nor the state directory can be written: if the journal is deleted, nothing shows that the list had one."
      )
    case .remark(let remark): console.remark(Self.text(remark))
    case .prepared: state.withLock { $0.interruption = Interruption() }
    case .opened(let overview): open(overview)
    case .started(let line): start(line)
    case .line(let event): state.withLock { $0.output }?.take(event)
    case .ended: state.withLock { $0.keys }?.end()
    case .complaint(let text): complain(text)
    case .recalled(let tag):
      if console.json {
        console.json(LineJSON(recalled: tag.uid, job: tag.job, to: tag.bin, because: tag.text))
      }
      complain(tag.text)
    }
  }

  private func complain(_ text: String) {
    if let output = state.withLock({ $0.output }) {
      output.complain(text)
    } else {
      console.complain("nfcprog: \(text)")
    }
  }

  /// Gives the terminal back.
  func end() {
    progress.end()
    state.withLock { $0.output }?.end()
  }

  private func open(_ overview: ProvisioningOverview) {
    let view = LiveView(
      title: command == "provision"
        ? "nfcprog provision: \(counted(overview.jobs, "job")). Ctrl-C ends the run; it can continue later."
        : "nfcprog \(command): Ctrl-C ends the run.",
      stations: overview.stationNames ?? overview.readers, goal: overview.goal,
      before: overview.done,
      waiting: overview.waiting.mapValues { LiveView.Waiting(text: "the tag of job \($0)") })
    let output = LineOutput(
      console, command: command, readers: overview.readers, names: overview.stationNames,
      view: view,
      isSilent: isSilent, warnsOfClassics: warnsOfClassics)
    let interruption = state.withLock { state in
      state.output = output
      return state.interruption
    }
    interruption?.onSecond { for interrupt in overview.interrupts { interrupt() } }
  }

  private func start(_ line: StationLine) {
    guard hasKeys, LineOutput.isLive(on: console) else { return }
    let keys = AnswerKeys()
    keys.start {
      line.answer(station: $0)
    } lost: { [weak self] in
      self?.complain("The terminal gives no more keys: verdicts are answered by tags.")
    }
    state.withLock { $0.keys = keys }
  }

  private static func text(_ remark: ProvisioningRemark) -> String {
    switch remark {
    case .listUnmarked: ""
    case .released(let tag):
      "Released: job \(tag.job.number), \(tag.job.name). Tag \(tag.uid) must not be used."
    case .labelUnscanned(let tag):
      "The label of job \(tag.job.number), \(tag.job.name), was not scanned: put tag \(tag.uid) on a reader again."
    case .labelsUnscannable(let tags):
      "The labels of \(counted(tags.count, "tag")) are still to be scanned, so this run leaves \(tags.count == 1 ? "it" : "them") alone: \(tags.prefix(5).map(\.description).joined(separator: ", "))\(tags.count > 5 ? " and \(tags.count - 5) more" : ""). Use --scan-label for \(tags.count == 1 ? "it" : "them")."
    case .jobsRetried(let count): "\(counted(count, "failed job")) \(isAre(count)) tried again."
    case .resultsRepeated(let count):
      "\(counted(count, "result")) of earlier runs \(isAre(count)) sent again."
    case .labelsPrinted(let count):
      "\(counted(count, "label")) of earlier runs \(isAre(count)) printed."
    case .nothingUnsure:
      "No label is known that may not have been printed: --reprint-labels unsure prints nothing."
    case .reprintsUnfinished(let jobs, let isPool):
      isPool
        ? "--reprint-labels: this bench has not finished \(jobs.jobNames), and prints no label for \(jobs.count == 1 ? "it" : "them"). If another bench has, give the option there."
        : "--reprint-labels: \(jobs.jobNames) \(jobs.count == 1 ? "is" : "are") not finished, so no label is printed again. The label is printed when the tag is finished."
    case .reprintsUnknown(let last):
      "--reprint-labels names jobs that the list does not have: its last job is \(last). Check the numbers."
    case .labelTorn(let path): "\(path): an incomplete row was removed."
    case .labelsAdded(let count, let path):
      "\(path): \(counted(count, "row")) \(count == 1 ? "was" : "were") missing and \(count == 1 ? "was" : "were") added."
    case .labelsUnknown(let count, let path):
      "\(path): \(counted(count, "row")) \(count == 1 ? "names a tag" : "name tags") that the journal does not list as finished."
    }
  }
}
