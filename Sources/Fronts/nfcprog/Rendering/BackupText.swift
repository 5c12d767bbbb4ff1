import Bench
import TagProgramming
import Wording

extension Backup.Outcome {
  /// Says where the tag's memory is saved, and what is missing. A failure is said as the command's
  /// own.
  func show(on console: Console) {
    switch self {
    case .saved(let file, let memory):
      console.remark("Backup: \(file.sentence)")
      for finding in memory.findings {
        console.remark("Note (\(finding.code)): \(finding.sentence(RemedyText.option))")
      }
      if memory.dump?.image.isMirrored == true {
        console.remark(
          "The file has the message as the tag showed it this once, and not the template, settings and keys that it is made with."
        )
      }
      guard let dump = memory.dump, !dump.unreadRows.isEmpty else { return }
      console.remark(
        "The tag did not show \(dump.image.rowName.lowercased())s \(NumberRuns.list(dump.unreadRows)); the file does not have them."
      )
    case .nothingToSave:
      console.remark("There is no backup: the tag shows nothing of its memory.")
    case .failed: break
    }
  }
}
