import Bytes
import Provisioning
import TagMemory

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension ProvisioningRun {
  /// Writes what a server needs to check the tags of `journal`: their own keys, or how to know the
  /// master key. Never both.
  func exportKeys(_ journal: Journal) throws(BenchError) {
    guard let path = settings.exportedKeys, let ring = settings.line.personalisation?.keys else {
      return
    }
    let journal = try wholeJournal(journal)
    var lines = ["# For a server that checks tags: Docs/AuthenticTags.md."]
    if settings.exportsMasterID {
      lines += ring.identityLines
    } else {
      lines += [
        "version = \(ring.version)", "meta-read = \(ring.metaRead)", "file-read = \(ring.fileRead)",
      ]
      if case .list = ring.scheme {
        lines += try listedKeys(journal, ring)
      } else {
        lines += try derivedKeys(journal, ring)
      }
    }
    try write(lines, to: path)
  }

  /// Each finished tag's own key, which follows from its UID.
  private func derivedKeys(_ journal: Journal, _ ring: KeyRing) throws(BenchError) -> [String] {
    let shared = ring.sharedMetaKey.map { ["key \(ring.metaRead) = \(Hex.string($0.bytes))"] }
    let uids = try BenchError.journaled { () throws(JournalError) in try journal.writtenUIDs() }
    return (shared ?? [])
      + uids.map { uid in "\(uid.hex) = \(Hex.string(ring.key(ring.fileRead, of: uid).bytes))" }
  }

  /// The same of the rows of a list. Where the key for UID and counter is not the same on all tags,
  /// it stands behind the other.
  private func listedKeys(_ journal: Journal, _ ring: KeyRing) throws(BenchError) -> [String] {
    let tags = try BenchError.journaled { () throws(JournalError) in try journal.writtenTags() }
    var rows: [(uid: UID, file: AESKey, meta: AESKey)] = []
    do throws(JobSourceError) {
      for tag in tags {
        guard let keys = try source.keys(of: tag.job) else { continue }
        rows.append((tag.uid, keys[Int(ring.fileRead)], keys[Int(ring.metaRead)]))
      }
    } catch {
      throw BenchError(error)
    }
    let metas = Set(rows.map(\.meta))
    let shared = metas.count == 1 ? metas.first : nil
    return (shared.map { ["key \(ring.metaRead) = \(Hex.string($0.bytes))"] } ?? [])
      + rows.map { row in
        let own = shared == nil ? " \(Hex.string(row.meta.bytes))" : ""
        return "\(row.uid.hex) = \(Hex.string(row.file.bytes))\(own)"
      }
  }

  private func write(_ lines: [String], to path: String) throws(BenchError) {
    let mask = umask(0o077)
    defer { umask(mask) }
    try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
    guard unsafe chmod(path, 0o600) == 0 || path.hasPrefix("/dev/") else {
      throw BenchError(.cannotCreate, "\(path) cannot be closed to others.")
    }
  }
}
