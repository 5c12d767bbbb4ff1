import TagDumps
import TagMemory
import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A copy of what a tag holds, which a command that destroys it saves before its first write.
///
/// One thread uses it.
package final class Backup {
  /// A backup ends in one of these ways.
  package enum Outcome {
    case saved(NamedFile.Saved, KeptMemory)
    /// The tag showed nothing of its memory.
    case nothingToSave
    /// There is no file: the tag must be left as it is.
    case failed(BenchError)
  }

  private let folder: String
  /// Is true if a person asked for it: a tag of which nothing can be saved is left as it is.
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
    if case .saved(let file, _)? = outcome { file } else { nil }
  }

  /// Saves what could be read of a tag in a file that its owner alone can read. A dry run finds out
  /// whether there is anything to save, and all that is to be.
  package func keep(_ memory: KeptMemory, isDryRun: Bool = false) {
    outcome = save(memory, isDryRun: isDryRun)
  }

  /// Nil where a run would save it.
  private func save(_ memory: KeptMemory, isDryRun: Bool) -> Outcome? {
    guard let dump = memory.dump, dump.image.bytes.contains(where: { $0 != nil }) else {
      return isRequired ? .failed(refusal("The tag shows nothing of its memory.")) : .nothingToSave
    }
    guard memory.lost.isEmpty else {
      return .failed(
        refusal(
          "\(dump.image.rowName)s \(NumberRuns.list(memory.lost)), which the command writes, could not be read."
        ))
    }
    do throws(BenchError) {
      let (bytes, ending) = try Self.file(dump)
      guard !isDryRun else { return nil }
      let path = freePath(of: memory.target.uid, ending)
      Files.makeFolder(of: path)
      let saved = try NamedFile(path, .refused(asking: nil)).write(bytes, isSecret: true)
      return .saved(saved, memory)
    } catch {
      var failure = error
      failure.consequence = "There is no backup, so nothing was written to the tag."
      return .failed(failure)
    }
  }

  private func refusal(_ reason: String) -> BenchError {
    BenchError(
      .refused, "\(reason) Its password or keys may open it; --backup none goes without a backup.",
      consequence: "There is no backup, so nothing was written to the tag.")
  }

  /// The dump in the first format that can hold it and has a mark for what is not known, and the
  /// ending of its name.
  private static func file(_ dump: TagDump) throws(BenchError) -> ([UInt8], ending: String) {
    var reasons: [DumpError] = []
    for (format, ending) in [
      (DumpFormat.flipper, "nfc"), (.classicTool, "mct"), (.proxmark, "json"),
    ] {
      do throws(DumpError) { return (try dump.serialize(as: format), ending) } catch {
        reasons.append(error)
      }
    }
    throw BenchError(
      .bug, "No format holds the dump: \(reasons.map(\.description).joined(separator: "; ")).")
  }

  /// `04793a9e6c80-20261126T170102Z.nfc` in the folder; `-2` and so on behind it where one is
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
