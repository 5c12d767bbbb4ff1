import Bench
import LedgerSQLite
import Provisioning
import TagMemory
import TagProgramming

extension ProvisioningRun {
  /// Why a run would leave the tag that lies there alone, whatever its job; nil where it would not,
  /// or where only the database of a pool tells. Nothing is written, not even to the journal.
  package func trouble(with tag: TagFound) -> TagTrouble? {
    let rewrites = settings.line.rewrite
    let journal = journal
    switch (try? journal?.history(of: tag.target.uid)) ?? nil {
    case .written(let written):
      guard !rewrites else { return nil }
      return TagTrouble(
        .written,
        "The journal has job \(written.job.number), \(written.job.name), on a tag with this UID.")
    case .reserved: return nil
    case .scrap(let scrap) where !rewrites: return scrap.trouble
    case .scrap, nil: break
    }
    guard let content = tag.message, !content.isEmpty else { return nil }
    if let other = (try? journal?.job(holding: LedgerSQLite.digest(of: content))) ?? nil {
      return .copy(of: other)
    }
    // A tag of a pool may have the job that it gets again.
    guard !settings.line.overwrite, !rewrites || !isOnPool else { return nil }
    return TagTrouble(.foreign, "The tag holds another message already.")
  }

  private var isOnPool: Bool { settings.journal.map(PoolSeries.isPool) ?? false }

  /// The journal, where there is one and this bench alone has it.
  private var journal: Journal? {
    guard let path = settings.journal, !isOnPool else { return nil }
    return try? Journal(at: path, access: .readOnly)
  }
}
