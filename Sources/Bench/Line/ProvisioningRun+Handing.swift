import Bench
import Dispatch
import LedgerSQLite
import Provisioning
import TagMemory

/// What goes in and out beside the tags: rows that come by and by, scanned codes, labels, results.
extension ProvisioningRun {
  /// Takes rows up as they come, on a thread of their own.
  func take(_ list: FollowedList, _ journal: Journal, _ line: StationLine, _ refused: RefusedRows) {
    let complain: @Sendable (String) -> Void = { [tell] problem in
      refused.count.add(1, ordering: .relaxed)
      tell(.complaint("The list: \(problem)"))
    }
    DispatchQueue(label: "list").async {
      do {
        try list.follow(into: journal) { row in
          switch row {
          case .added: line.noteAdded(1)
          case .known: break
          case .refused(let problem): complain("\(problem)")
          }
        }
      } catch let error as JournalError {
        line.end(error)
      } catch {
        complain("\(error)")
      }
      line.noteListEnd()
    }
  }

  /// The label file knows of all rows, where it could be written.
  func finish(_ labels: LabelFile?, _ summary: LineSummary) throws(BenchError) {
    switch summary.ending {
    case .labels, .journal: return
    default: break
    }
    do throws(LabelError) { try labels?.finish() } catch { throw BenchError(error) }
  }

  /// Hands on what became of good tags of earlier runs, where nobody has taken it. A command that
  /// keeps failing is not run for all of them.
  func handOn(_ hook: ResultCommand, _ session: JournalSession) throws(BenchError) {
    let due = try BenchError.journaled(session.journal.resultsDue(for: session))
    guard !due.isEmpty else { return }
    tell(.remark(.resultsRepeated(due.count)))
    var misses = 0
    for written in due where misses < 3 && !shouldStop() {
      guard hook.perform(ResultCommand.variables(written)) else {
        misses += 1
        continue
      }
      misses = 0
      try BenchError.journaled(session.journal.noteResultTaken(ofJob: written.job.number))
    }
  }

  /// The column that scanned codes are found in, as the list writes it; nil without a scanner.
  func scannedColumn() throws(BenchError) -> String? {
    guard !settings.scanners.isEmpty, let wanted = settings.scannedColumn else { return nil }
    guard let column = source.columns.first(where: { $0.lowercased() == wanted.lowercased() })
    else {
      throw BenchError(
        .usage,
        "The list has no column \(wanted); it has \(source.columns.joined(separator: ", "))."
      )
    }
    return column
  }

  /// The jobs of tags of earlier runs that may hold one unfinished.
  func waiting(_ session: JournalSession) throws(BenchError) -> [UID: Int] {
    let tags = try BenchError.journaled(session.journal.reservations())
    return Dictionary(tags.filter(\.holder.isAbsent).map { ($0.uid, $0.job.number) }) { $1 }
  }

  /// What was asked for to be done with jobs before the first tag.
  func tidy(_ session: JournalSession) throws(BenchError) {
    try BenchError.journaled { () throws(JournalError) in
      for tag in try session.takeBackUnscanned() {
        tell(.remark(.labelUnscanned(tag)))
      }
      let left = try session.unscannable().map(\.uid)
      if !left.isEmpty { tell(.remark(.labelsUnscannable(left))) }
      if settings.releasesReserved {
        for tag in try session.release(.absent) { tell(.remark(.released(tag))) }
      }
      if settings.retriesFailed {
        let count = try session.retryFailed()
        if count > 0 { tell(.remark(.jobsRetried(count))) }
      }
    }
  }

  func openLabels(_ path: String, _ session: JournalSession) throws(BenchError) -> LabelFile {
    do throws(LabelError) {
      var wait = LabelLockWait()
      wait.say = { [tell] in tell(.complaint($0)) }
      wait.shouldStop = shouldStop
      let known = try LabelError.catching(path) { try session.journal.source() }
      let file = try LabelFile(
        at: path, of: session,
        columns: settings.line.follows ? source.openColumns : nil,
        in: known?.description.dialect ?? source.dialect,
        startingOver: settings.line.startsOver, waiting: wait)
      let repairs = file.repairs
      if repairs.wasTorn { tell(.remark(.labelTorn(path))) }
      if repairs.added > 0 { tell(.remark(.labelsAdded(repairs.added, path))) }
      if repairs.strangers > 0 { tell(.remark(.labelsUnknown(repairs.strangers, path))) }
      return file
    } catch {
      throw BenchError(error)
    }
  }
}
