import TagDumps
import TagMemory

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A copy of what a tag holds, which a command that destroys it saves before its first write.
///
/// One thread uses it.
package final class Backup {
  /// How it went.
  package enum Outcome: Hashable {
    /// `unread`: blocks or pages that the tag did not show and that are zeros in the file.
    case saved(NamedFile.Saved, unread: [Int], rowName: String)
    /// The tag showed nothing of its memory.
    case nothingToSave
    /// The file could not be written: the tag must be left as it is.
    case failed(BenchError)
  }

  private let folder: String
  /// Whether a person asked for it: a tag of which nothing can be saved is left as it is.
  private let isRequired: Bool
  /// Nil until a tag was about to be written.
  package private(set) var outcome: Outcome?

  /// Files come into `folder`, which is made where there is none.
  package init(in folder: String, isRequired: Bool) {
    (self.folder, self.isRequired) = (folder, isRequired)
  }

  /// Why the tag must not be written; nil where it may be.
  package var obstacle: BenchError? {
    if case .failed(let error)? = outcome { error } else { nil }
  }

  /// The file that was saved.
  package var file: NamedFile.Saved? {
    if case .saved(let file, _, _)? = outcome { file } else { nil }
  }

  /// Saves `dump`, what could be read of `tag`, in a file that its owner alone can read.
  package func keep(_ tag: Target, _ dump: TagDump?) {
    outcome = save(tag, dump)
  }

  private func save(_ tag: Target, _ dump: TagDump?) -> Outcome {
    guard let dump, dump.image.bytes.contains(where: { $0 != nil }) else {
      return isRequired
        ? .failed(
          BenchError(
            .refused,
            "The tag shows nothing of its memory, so there is no backup. Its password or keys may open it.",
            consequence: "Nothing was written to the tag.")) : .nothingToSave
    }
    let format: DumpFormat = if case .type4 = dump.image.layout { .proxmark } else { .flipper }
    do throws(BenchError) {
      let bytes: [UInt8]
      do throws(DumpError) { bytes = try dump.file(format) } catch {
        throw BenchError(.bug, "The dump could not be made: \(error).")
      }
      let path = freePath(of: tag.uid, format == .flipper ? "nfc" : "json")
      Files.makeFolder(of: path)
      let saved = try NamedFile(path, .refused(asking: nil)).write(bytes, isSecret: true)
      return .saved(
        saved, unread: dump.unreadRows(withoutMarkIn: format), rowName: dump.image.rowName)
    } catch {
      var failure = error
      failure.consequence = "There is no backup, so nothing was written to the tag."
      return .failed(failure)
    }
  }

  /// `04793A9E6C80-20261126T170102Z.nfc` in the folder; `-2` and so on behind it where one is
  /// there.
  private func freePath(of uid: UID, _ ending: String) -> String {
    let time = Date.now.formatted(
      .iso8601.year().month().day().dateSeparator(.omitted)
        .time(includingFractionalSeconds: false).timeSeparator(.omitted))
    let stem = "\(folder)/\(uid.hex)-\(time)Z"
    var path = "\(stem).\(ending)"
    var number = 2
    while Files.exists(path) {
      path = "\(stem)-\(number).\(ending)"
      number += 1
    }
    return path
  }
}
