import Bytes
import CardCrypto
import Foundation
import JobLists
import LedgerSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A small file beside a job list, `JOBS.csv.nfcprog`, which says with which journals the list was
/// used: a journal that somebody has deleted cannot say so itself. Where the list's folder may not
/// be written, it lies in the state directory ($XDG_STATE_HOME/nfcprog/lists).
///
/// Two lines for each journal: its name, how many jobs the list had, what they were (SHA-256), and
/// the journal's path, or the address of the batch; the second has the digest of the messages
/// alone, by which the list is known also where the tags are others or were not locked.
package struct ListMarker: Sendable {
  private struct Entry: Hashable {
    let journal: String
    let jobs: Int
    let digest: String
    let path: String
  }

  let places: [String]
  /// The state directory.
  private let state: String

  /// Of the list at `path`; `state`: the state directory.
  package init(ofList path: String, state: String) {
    self.state = state
    // By whichever link it was reached.
    let list = URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
    let name = Hex.string(Array(SHA256.hash(list.utf8).prefix(16)))
    places = [list + ".nfcprog", state + "/nfcprog/lists/" + name]
  }

  /// Returns whether the list was used with this journal.
  package func knows(_ journal: Journal) throws(JournalError) -> Bool {
    let name = Hex.string(try journal.name())
    return entries.contains { $0.journal == name }
  }

  /// Throws when the list's jobs, or their messages, were used with another journal than this one:
  /// all of them, as far as the list goes by then, or one that is on a tag of a journal that is
  /// still there. `files`: those that the messages name.
  package func check(_ journal: Journal, _ files: MessageFiles) throws(JournalError) {
    let name = Hex.string(try journal.name())
    let others = entries.filter { $0.journal != name }
    try checkDigests(journal, others)
    var seen: Set<String> = []
    for entry in others where seen.insert(entry.journal).inserted {
      let isPool = PoolSeries.isPool(entry.path)
      let other: Journal
      do throws(JournalError) {
        other = try Journal(at: entry.path, access: .readOnly)
      } catch {
        if isPool { try checkBeside(entry, away: error, journal, files) }
        guard !error.isOfOtherVersion else { throw error }
        continue
      }
      guard (try? other.name()).map({ Hex.string($0) }) == entry.journal,
        let (job, number) = try MessagesOnTags(of: other, files).first(of: journal)
      else { continue }
      throw .listHasJournal(
        "line \(job.line), \(job.name.escapingControls), is on a tag already, as job \(number) of \(isPool ? "the batch" : "the journal") \(entry.path)"
      )
    }
  }

  /// Of a batch whose database does not answer, this machine's benches have the list: a message of
  /// it may be on a tag of another bench.
  private func checkBeside(
    _ entry: Entry, away failure: JournalError, _ journal: Journal, _ files: MessageFiles
  ) throws(JournalError) {
    // The batch is gone for good, and so is what was known of it.
    if case .pool(.noBatch, _) = failure { return }
    let folder = PoolSeries.pools(state) + "/" + entry.journal
    for place in SlotLock.journals(in: folder) {
      guard let bench = try Journal.found(at: SlotLock.journal(place, in: folder)),
        let (job, number) = try MessagesOnTags(of: bench, files, all: true).first(of: journal)
      else { continue }
      throw .listHasJournal(
        "line \(job.line), \(job.name.escapingControls), is job \(number) of the batch \(entry.path), whose database does not answer, so it may be on a tag"
      )
    }
  }

  private func checkDigests(_ journal: Journal, _ others: [Entry]) throws(JournalError) {
    for entry in others {
      guard try Self.digests(of: journal, first: entry.jobs).contains(entry.digest) else {
        continue
      }
      throw .listHasJournal(
        PoolSeries.isPool(entry.path)
          ? "it was used with the batch \(entry.path)"
          : "it was used with the journal \(entry.path)")
    }
  }

  /// Adds the journal; `pool`: the address of the batch whose bench's it is, as people may see it.
  /// False when that cannot be written anywhere.
  package func add(_ journal: Journal, of pool: String? = nil) throws(JournalError) -> Bool {
    let jobs = try journal.tally().jobs
    let name = try journal.name()
    let path = pool ?? URL(filePath: journal.path).standardizedFileURL.path
    let missing = try Self.digests(of: journal, first: jobs).map {
      Entry(journal: Hex.string(name), jobs: jobs, digest: $0, path: path)
    }.filter { [entries] in !entries.contains($0) }
    return missing.isEmpty || places.contains { append(missing, to: $0) }
  }

  /// By what the first `count` jobs are known: all that makes them, and their messages; none where
  /// there are fewer.
  static func digests(
    of journal: Journal, first count: Int
  ) throws(JournalError) -> [String] {
    try [journal.listDigest(first: count), journal.messagesDigest(first: count)]
      .compactMap { $0.map { Hex.string($0) } }
  }

  private var entries: [Entry] {
    places.flatMap { place -> [Entry] in
      guard let handle = FileHandle(forReadingAtPath: place),
        let data = try? handle.read(upToCount: 1_000_000)
      else { return [] }
      return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 3)
        // What begins so says how far a journal is: `JournalTrail`.
        guard line.first != "@", words.count == 4, let jobs = Int(words[1]), jobs > 0 else {
          return nil
        }
        return Entry(
          journal: String(words[0]), jobs: jobs, digest: String(words[2]), path: String(words[3]))
      }
    }
  }

  /// On the disk when this returns true.
  private func append(_ entries: [Entry], to place: String) -> Bool {
    let folder = URL(filePath: place).deletingLastPathComponent()
    if place == places[1] {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let file = unsafe open(place, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { return false }
    defer { close(file) }
    var text = entries.map { "\($0.journal) \($0.jobs) \($0.digest) \($0.path)\n" }.joined()
    if lseek(file, 0, SEEK_END) == 0 {
      text =
        "# nfcprog keeps here which journals this list was used with, so that no job is put on two tags.\n"
        + text
    }
    let bytes = Array(text.utf8)
    return unsafe write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
  }
}
