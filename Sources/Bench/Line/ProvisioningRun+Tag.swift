import Bench
import JobLists
import LedgerSQLite
import Provisioning
import TagMemory
import TagProgramming

/// What `--dry-run` asks of the journal or the pool, by which the run decides: nothing is written,
/// not even there.
extension ProvisioningRun {
  /// Returns what the run would find there before its first tag; nil where that knows nothing of
  /// the list yet. Fails where the run could not begin, since the pool does not answer.
  package func known() throws(BenchError) -> Journal? {
    guard let path = settings.journal else { return nil }
    guard PoolSeries.isPool(path) else { return try? Journal(at: path, access: .readOnly) }
    do throws(JournalError) {
      return try Journal(at: path, access: .readOnly)
    } catch {
      // The run makes the batch.
      if case .pool(.noBatch, _) = error { return nil }
      throw BenchError(error)
    }
  }

  /// Why a run would leave the tag that lies there alone, whatever its job; nil where it would not.
  package func trouble(with tag: TagFound, by journal: Journal?) throws(BenchError) -> TagTrouble? {
    let rewrites = settings.line.rewrite
    var audit = try BenchError.journaled(journal?.audit(TagReading(tag)))
    if case .agrees(let written)? = audit, let journal {
      let planner = RowPlanner(source, settings.line)
      audit = try BenchError.journaled { () throws(JournalError) in
        let keys = try planner.proofKeys(
          journal.keys(ofJob: written.job.number), of: written.job)
        return try journal.audit(TagReading(tag, keys: keys))
      }
    }
    switch audit {
    case .agrees(let written), .differs(let written, _):
      guard !rewrites else { return nil }
      return audit?.trouble
        ?? TagTrouble(
          .written,
          "The journal has job \(written.job.number), \(written.job.name), on a tag with this UID.")
    case .unfinished: return nil
    // A pool gives such a tag no job, also where tags are written again.
    case .scrap where !rewrites || settings.journal.map(PoolSeries.isPool) == true:
      return audit?.trouble
    case .copy, .randomUID: return audit?.trouble
    case .unknown where source.namesTags && !hasRow(for: tag.target.uid),
      nil where source.namesTags && !hasRow(for: tag.target.uid):
      return .notListed
    case .scrap, .unknown, nil: break
    }
    let planner = RowPlanner(source, settings.line)
    if let obstacle = planner.obstacle(on: tag, isFresh: true) { return obstacle }
    guard planner.content(of: tag) != nil, !settings.line.overwrite else { return nil }
    return planner.foreign
  }

  /// Returns whether a row of the list is for the tag with `uid`.
  private func hasRow(for uid: UID) -> Bool { row(for: uid) != nil }

  /// The row that is for the tag with `uid`; nil where none is.
  private func row(for uid: UID) -> PlannedJob? {
    var found: PlannedJob?
    do throws(Enough) {
      try source.forEachJob { row throws(Enough) in
        guard let row = try? row.get(), row.uid == uid else { return }
        found = row
        throw Enough()
      }
    } catch {}
    return found
  }

  /// The password that the list says the tag with `uid` has before it gets its job; nil: none.
  package func oldPassword(of uid: UID) -> [UInt8]? {
    guard source.opensTags else { return nil }
    return row(for: uid).flatMap { try? source.oldSecrets(of: $0).password }
  }

  /// No further row can matter.
  struct Enough: Error {}

  /// Returns whether a tag can get no job, since other tags have them all, or no message can be
  /// made of them.
  package func isDone(_ list: CheckedJobs, by journal: Journal?) throws(BenchError) -> Bool {
    guard !settings.line.rewrite, let journal else { return false }
    let tally = try BenchError.journaled(journal.tally())
    return tally.jobs > 0 && tally.pending == 0 && tally.reserved == 0
      && list.report.rowCount <= tally.jobs
  }

  /// Which jobs of the list the tag may get: its own, or each that no tag has.
  func isFree(for tag: TagFound, by journal: Journal?) throws(BenchError) -> (Int) -> Bool {
    guard let journal else { return { _ in true } }
    switch try history(of: tag, by: journal) {
    case .written(let written): return { $0 == written.job.number }
    case .reserved(let reserved): return { $0 == reserved.job.number }
    case .scrap, nil:
      return { number in
        ((try? journal.standing(ofJob: number)) ?? nil)?.isPending ?? true
      }
    }
  }

  private func history(of tag: TagFound, by journal: Journal?) throws(BenchError) -> TagHistory? {
    try BenchError.journaled(journal?.history(of: tag.target.uid))
  }
}
