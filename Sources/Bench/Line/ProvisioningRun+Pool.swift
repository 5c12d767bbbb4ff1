import Bench
import Bytes
import Dispatch
import LedgerSQLite
import Provisioning
import TagMemory

/// A run on a batch of a pool, which several benches share.
extension ProvisioningRun {
  /// This bench of the pool that the settings name; nil: they name a journal's file.
  func openPool(
    _ list: CheckedJobs, _ marker: ListMarker?, marks: Bool, stations: Int
  ) throws(BenchError) -> PoolBench? {
    guard let address = settings.journal, PoolSeries.isPool(address) else { return nil }
    tell(
      .workBegan("Comparing the list with the pool", unit: "rows", count: list.report.rowCount))
    let digest = settings.follows || pooled != nil ? nil : try self.digest()
    return try BenchError.journaled { () throws(JournalError) in
      var series = try PoolSeries(
        address, state: stateFolder, extending: settings.extends, following: settings.follows,
        ahead: max(4, stations * 2), list: pooled,
        lostBatches: settings.line.startsOver
          ? .ignored : settings.takesUpLostBatches ? .continued : .refused,
        tell: { [tell] news in
          tell(news.recalled.map(ProvisioningEvent.recalled) ?? .complaint(news.sentence))
        })
      series.wish = PlaceWish(
        file: settings.labels, printsLabels: settings.printer != nil,
        deliversResults: settings.onResult != nil)
      series.files = source.files
      return try series.open(
        guarding: { (journal) throws(JournalError) in
          try guardList(journal, marker, marks: marks)
        }
      ) {
        (journal, extending) throws(JournalError) in
        if list.isAdopted, let known = try journal.checkedList(), known.digest == digest,
          try journal.tally().jobs == known.jobs
        {
          return
        }
        try adopt(into: journal, extending: extending)
        try note(list, digest, in: journal)
      }
    }
  }

  /// The pool's address as people may see it; nil: the jobs are kept in a file.
  var shownPool: String? {
    settings.journal.flatMap { PoolSeries.isPool($0) ? PoolSeries.shown($0) : nil }
  }

  /// Where benches of pools keep their journals.
  var stateFolder: String { settings.stateFolder }

  /// Takes up rows that are added to the batch, until it is closed or the run is over, on a thread
  /// of its own.
  func takeRows(of bench: PoolBench, _ line: StationLine) {
    DispatchQueue(label: "list").async {
      let pause = DispatchSemaphore(value: 0)
      while !line.isOver() {
        do throws(JournalError) {
          if try bench.takeUpRows({ line.noteAdded($0) }) { return line.noteListEnd() }
        } catch {
          switch error {
          // The bench says so by itself.
          case .pool(.away, _): break
          default: return line.end(error)
          }
        }
        _ = pause.wait(timeout: .now() + 1)
      }
    }
  }

  /// Says what the pool has not heard of at the end.
  func sayUntold(_ pool: PoolBench) {
    guard pool.untold > 0 else { return }
    tell(
      .complaint(
        "The database is away and has not heard of all tags of this run: start this bench again when it answers, with the same command."
      ))
  }

  /// Says what waits in the journals of benches that were killed on this machine: it belongs to
  /// them, and this run does not hand it on.
  func sayLeft(beside pool: PoolBench) {
    let left = PoolSeries.leftWork(beside: pool)
    guard !left.isEmpty else { return }
    let words = [
      left.labels == 0 ? nil : "\(counted(left.labels, "label")) not printed",
      left.results == 0 ? nil : "\(counted(left.results, "result")) not handed on",
    ].compactMap(\.self).joined(separator: " and ")
    tell(
      .complaint(
        "Another bench of this machine was stopped and has left \(words). Start it again with its own command, also if no job is left."
      ))
  }

  /// The journal that has the tags of all benches.
  func wholeJournal(_ journal: Journal) throws(BenchError) -> Journal {
    guard let address = settings.journal, PoolSeries.isPool(address) else { return journal }
    return try BenchError.journaled(Journal(at: address, access: .readOnly))
  }
}

extension PoolNews {
  /// The tag of which something else is so than was said.
  var recalled: RecalledTag? {
    switch self {
    case .unfinished(let job, let tag):
      RecalledTag(bin: .again, uid: tag, job: job, text: sentence)
    case .conflict(let job, let tag, _):
      RecalledTag(bin: .aside, uid: tag, job: job, text: sentence)
    default: nil
    }
  }

  /// For the operator.
  var sentence: String {
    switch self {
    case .away(let reason, let jobs):
      "The database is away: this bench continues with the \(jobs == 1 ? "1 job" : "\(jobs) jobs") that it has claimed, and claims no other. \(reason)"
    case .unusable(let reason, let jobs):
      "\(reason) Until then this bench continues with the \(jobs == 1 ? "1 job" : "\(jobs) jobs") that it has claimed, and claims no other."
    case .waiting: "Another bench loads the batch: this bench waits until it has done so."
    case .copied(let name, let kept):
      "The database knows more of bench \(name) than its journal on this machine: the journal is a copy, or came back from a backup. This machine continues as a new bench; the old journal is now \(kept). If no other machine works as \(name), destroy the tags that it had begun and release its jobs."
    case .made(let jobs):
      "The batch is new in this database: its \(jobs == 1 ? "1 job is" : "\(jobs) jobs are") loaded."
    case .reminded(let tags):
      "The database had forgotten \(tags == 1 ? "1 tag" : "\(tags) tags") of this bench, and knows \(tags == 1 ? "it" : "them") again: an older backup was restored."
    case .takenUp(let tags):
      "The database had lost this batch. This machine continues it with the \(tags == 1 ? "1 tag" : "\(tags) tags") that it has written for it."
    case .back: "The database answers again and knows of every tag."
    case .unfinished(let job, let tag):
      "Put tag \(tag) on a reader of the line: this bench has finished it with job \(job), but the database has it at another bench as unfinished. Do not give its job to another tag."
    case .conflict(let job, let tag, let reason):
      "Set tag \(tag?.description ?? "of job \(job)") aside and do not use it: the database contradicts this bench about job \(job). \(reason)"
    }
  }
}
