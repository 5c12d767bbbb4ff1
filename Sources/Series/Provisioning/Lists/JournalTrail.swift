import Bytes
import Foundation
import LedgerSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How far a journal is and where it lies, kept outside of it: beside the list and in the state
/// directory ($XDG_STATE_HOME/nfcprog/journals). A journal that was copied, or brought back from a
/// backup, does not know the tags that were written since; these places do.
///
/// A line in each: `@NAME EVENT PATH`, the journal's name, the number of the last event that has
/// kept a job for a tag, and the journal's path. It is written before that tag is.
package final class JournalTrail: Sendable {
  private struct Entry {
    var event: Int64
    var path: String
    /// Where its line begins in the file, in bytes.
    var offset: Int
  }

  private let journal: Journal
  private let name: String
  private let path: String
  private let places: [String]
  /// Digits of an event's number: a line keeps its length.
  private static let width = 19

  /// `marker`: the list's; nil: it has none. `state`: the state directory.
  package init(
    of journal: Journal, beside marker: ListMarker?, state: String
  ) throws(JournalError) {
    self.journal = journal
    name = Hex.string(try journal.name())
    path = URL(filePath: journal.path).standardizedFileURL.path
    places = (marker?.places.prefix(1).map(\.self) ?? []) + ["\(state)/nfcprog/journals/\(name)"]
  }

  /// Throws where the journal is a copy: one that it was made of is still there, or it is not as
  /// far as it was.
  package func check() throws(JournalError) {
    let last = try journal.lastEvent()
    for entry in places.compactMap({ entry(in: $0) }) {
      guard entry.event <= last else {
        throw .copied(
          journal.path,
          reason:
            "it ends with event \(last), and this series was at event \(entry.event). Give the journal that was used last\(entry.path == path ? "" : ", \(entry.path)")."
        )
      }
      guard entry.path != path, !Self.areOne(entry.path, path),
        let other = try Journal.found(at: entry.path),
        (try? other.name()) == (try journal.name())
      else { continue }
      throw .copied(
        journal.path,
        reason:
          "the journal \(entry.path) is the same, and is still there. Go on with that one, or remove it where the series has moved."
      )
    }
  }

  /// Notes that an event keeps a job for a tag. Where no place can be written, nothing is noted, as
  /// with the list's marker.
  package func note(_ event: Int64) { for place in places { note(event, in: place) } }

  private func note(_ event: Int64, in place: String) {
    if place == places.last {
      let folder = URL(filePath: place).deletingLastPathComponent()
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let file = unsafe open(place, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    defer { close(file) }
    // Another process may work on the same journal; one that stands still is not waited for.
    var tries = 0
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      tries += 1
      guard tries < 250, errno == EWOULDBLOCK || errno == EINTR else { return }
      usleep(20_000)
    }
    let known = entry(in: place)
    if let known, known.event >= event, known.path == path { return }
    let digits = String(max(event, known?.event ?? 0))
    let number = String(repeating: "0", count: Self.width - digits.count) + digits
    let line = Array("@\(name) \(number) \(path)\n".utf8)
    // A line of another path is as long only by chance: the new one goes behind it.
    let offset = known?.path == path ? known?.offset : nil
    let end = Int(lseek(file, 0, SEEK_END))
    _ = unsafe pwrite(file, line, line.count, off_t(offset ?? end))
  }

  /// Returns what the file at `place` says of the journal: the last path, and the last event of
  /// all.
  private func entry(in place: String) -> Entry? {
    guard let data = FileManager.default.contents(atPath: place) else { return nil }
    var (found, offset) = (Entry?.none, 0)
    for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
      defer { offset += line.count + 1 }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == "@\(name)", let event = Int64(words[1]) else { continue }
      found = Entry(
        event: max(event, found?.event ?? 0), path: String(words[2]), offset: offset)
    }
    return found
  }

  /// Returns whether both paths lead to one file.
  private static func areOne(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}
