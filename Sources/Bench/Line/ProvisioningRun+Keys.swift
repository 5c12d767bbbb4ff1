import Bench
import JobLists
import LedgerSQLite
import TagMemory

extension ProvisioningRun {
  /// Writes what a server needs to check the tags of `journal`: their own keys, or how to know the
  /// master key. Never both.
  func exportKeys(_ journal: Journal) throws(BenchError) -> NamedFile.Saved? {
    guard let file = settings.exportedKeys, let ring = settings.line.personalisation?.keys else {
      return nil
    }
    let journal = try wholeJournal(journal)
    var lines = ["# For a server that checks tags: Docs/AuthenticTags.md."]
    if settings.exportsMasterID {
      lines += ring.identityLines
    } else {
      var keys = try serverKeys(journal, ring)
      (keys.version, keys.metaRead, keys.fileRead) = (ring.version, ring.metaRead, ring.fileRead)
      lines += keys.lines
    }
    let text = lines.joined(separator: "\n") + "\n"
    return try file.write(Array(text.utf8), isSecret: true)
  }

  /// The keys of each finished tag: they follow from its UID, or stand in its row.
  private func serverKeys(_ journal: Journal, _ ring: KeyRing) throws(BenchError) -> ServerKeys {
    guard case .list = ring.scheme else {
      let uids = try BenchError.journaled(journal.writtenUIDs())
      return ServerKeys(
        uids.map { ($0, ring.key(ring.fileRead, of: $0), ring.key(ring.metaRead, of: $0)) },
        shared: ring.sharedMetaKey)
    }
    let tags = try BenchError.journaled(journal.writtenTags())
    var rows: [(uid: UID, code: AESKey, meta: AESKey)] = []
    do throws(JobSourceError) {
      for tag in tags {
        guard let keys = try source.keys(of: tag.job) else { continue }
        rows.append((tag.uid, keys[Int(ring.fileRead)], keys[Int(ring.metaRead)]))
      }
    } catch {
      throw BenchError(error)
    }
    return ServerKeys(rows)
  }
}
