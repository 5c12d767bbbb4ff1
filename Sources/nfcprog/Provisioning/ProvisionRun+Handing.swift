import BenchKit
import Dispatch
import Provisioning
import TagMemory
import TagProgramming

/// What goes in and out beside the tags: rows that come by and by, scanned codes, labels, results.
extension ProvisionRun {
  /// Opens a list whose rows come as the line works.
  func follow(
    _ write: WriteOptions, _ arguments: [String]
  ) throws(BenchError) -> FollowedList {
    do throws(JobSourceError) {
      return try FollowedList(
        0, command.list.settings(locks: write.lock, arguments: arguments))
    } catch {
      throw BenchError(error)
    }
  }

  /// Takes rows up as they come, on a thread of their own.
  func take(
    _ list: FollowedList, _ journal: Journal, _ line: Line,
    refusing complain: @escaping @Sendable (String) -> Void
  ) {
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

  /// Hands on what became of good tags of earlier runs, where nobody has taken it. A command that keeps failing is not
  /// run for all of them.
  func handOn(
    _ hook: ResultCommand, _ session: JournalSession, _ isInterrupted: () -> Bool
  ) throws(BenchError) {
    let due = try journaled { () throws(JournalError) in
      try session.journal.resultsDue(for: session)
    }
    guard !due.isEmpty else { return }
    console.remark("\(due.count) results of earlier runs are sent again.")
    var misses = 0
    for written in due where misses < 3 && !isInterrupted() {
      guard hook.perform(ResultCommand.variables(written)) else {
        misses += 1
        continue
      }
      misses = 0
      try journaled { () throws(JournalError) in
        try session.journal.noteResultTaken(ofJob: written.job.number)
      }
    }
  }

  /// The column that scanned codes are found in, as the list writes it; nil without a scanner.
  func scannedColumn(_ source: JobSource) throws(BenchError) -> String? {
    guard !command.scan.isEmpty else { return nil }
    let wanted = command.match ?? "code"
    guard let column = source.columns.first(where: { $0.lowercased() == wanted.lowercased() })
    else {
      throw BenchError(
        .usage,
        "The list has no column \(wanted); it has \(source.columns.joined(separator: ", "))."
      )
    }
    return column
  }

  /// Tags of earlier runs that may hold an unfinished job.
  func waiting(
    _ session: JournalSession
  ) throws(BenchError) -> [UID: LiveView.Waiting] {
    let tags = try journaled { () throws(JournalError) in try session.journal.reservations() }
    return Dictionary(
      tags.filter(\.holder.isAbsent).map {
        ($0.uid, LiveView.Waiting(text: "the tag of job \($0.job.number)"))
      }
    ) { $1 }
  }

  /// What was asked for to be done with jobs before the first tag.
  func tidy(_ session: JournalSession) throws(BenchError) {
    try journaled { () throws(JournalError) in
      if command.releaseReserved {
        for tag in try session.release(.absent) {
          console.remark(
            "Released: job \(tag.job.number), \(tag.job.name). Tag \(tag.uid) must not be used.")
        }
      }
      if command.retryFailed {
        let count = try session.retryFailed()
        if count > 0 { console.remark("\(count) failed jobs are tried again.") }
      }
    }
  }

  func openLabels(
    _ path: String, _ session: JournalSession, _ source: JobSource
  ) throws(BenchError) -> LabelFile {
    do throws(LabelError) {
      let file = try LabelFile(
        at: path, of: session,
        columns: command.follow ? source.columns.filter { $0.lowercased() != "password" } : nil,
        startingOver: command.startOver)
      let mending = file.mending
      if mending.wasTorn { console.remark("\(path): an incomplete row was removed.") }
      if mending.added > 0 {
        console.remark("\(path): \(mending.added) rows were missing and were added.")
      }
      if mending.strangers > 0 {
        console.remark(
          "\(path): \(mending.strangers) rows name tags that the journal does not list as finished."
        )
      }
      return file
    } catch {
      throw BenchError(error)
    }
  }

  func title(_ list: JobReport) -> String {
    "nfcprog provision: \(list.rowCount) jobs. Ctrl-C ends the run; it can continue later."
  }
}
