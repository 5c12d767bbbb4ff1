import Bench
import LedgerSQLite
import Provisioning
import TagMemory
import TagProgramming

extension ProvisioningRun {
  /// Why a run would leave the tag that lies there alone, whatever its job; nil where it would not,
  /// or where only the database of a pool tells. Nothing is written, not even to the journal.
  package func trouble(with tag: TagFound) -> TagTrouble? {
    if !settings.line.rewrite {
      switch history(of: tag.target.uid) {
      case .written(let written):
        return TagTrouble(
          .written,
          "The journal has job \(written.job.number), \(written.job.name), on a tag with this UID.")
      case .scrap(let scrap): return scrap.trouble
      case .reserved: return nil
      case nil: break
      }
    }
    guard !settings.line.overwrite, tag.message?.isEmpty == false else { return nil }
    return TagTrouble(.foreign, "The tag holds another message already.")
  }

  /// What the journal knows of a tag, where there is one and this bench alone has it.
  private func history(of uid: UID) -> TagHistory? {
    guard let path = settings.journal, !PoolSeries.isPool(path),
      let journal = try? Journal(at: path, access: .readOnly)
    else { return nil }
    return (try? journal.history(of: uid)) ?? nil
  }
}
