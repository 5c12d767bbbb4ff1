import Bench
import TagProgramming

extension Backup.Outcome {
  /// Says where the tag's memory is saved, and what is missing. A failure is said as the command's
  /// own.
  func show(on console: Console) {
    switch self {
    case .saved(let file, let unread, let rowName):
      console.remark("Backup: \(file.sentence)")
      guard !unread.isEmpty else { return }
      console.remark(
        "The tag did not show \(rowName)s \(NumberRuns.list(unread)); the file has zeros in their place."
      )
    case .nothingToSave:
      console.remark("There is no backup: the tag shows nothing of its memory.")
    case .failed: break
    }
  }
}
