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
    var lines = ["# For a server that checks tags: Docs/AuthenticTags.md."]
    if settings.exportsMasterID {
      lines += ring.identity
    } else {
      lines += [
        "version = \(ring.version)", "meta-read = \(ring.metaRead)", "file-read = \(ring.fileRead)",
      ]
      if let shared = ring.sharedMetaKey {
        lines.append("key \(ring.metaRead) = \(Hex.string(shared.bytes))")
      }
      let uids = try BenchError.journaled { () throws(JournalError) in try journal.writtenUIDs() }
      lines += uids.map { uid in
        "\(uid.hex) = \(Hex.string(ring.key(ring.fileRead, of: uid).bytes))"
      }
    }
    let mask = umask(0o077)
    defer { umask(mask) }
    try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
    guard unsafe chmod(path, 0o600) == 0 || path.hasPrefix("/dev/") else {
      throw BenchError(.cannotCreate, "\(path) cannot be closed to others.")
    }
  }
}
