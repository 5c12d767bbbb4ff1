import Bench
import Bytes
import LedgerSQLite
import Line
import SeriesReports

/// What is said at the end of labels that are not known to be printed.
enum LabelText {
  /// Nil when all were printed, or none was asked for. `afterReprint`: the run was to print labels
  /// again.
  static func failure(_ prints: OpenPrints?, afterReprint: Bool = false) -> BenchError? {
    guard let prints, !prints.isEmpty else { return nil }
    let sentences = sentences(prints, afterReprint: afterReprint)
    return BenchError(.cannotCreate, sentences.joined(separator: " "))
  }

  static func sentences(_ prints: OpenPrints, afterReprint: Bool = false) -> [String] {
    // With the option, the same command would print those once more that it has printed.
    let command = afterReprint ? "the same command without --reprint-labels" : "the same command"
    var sentences: [String] = []
    if !prints.due.isEmpty {
      let count = prints.due.count
      sentences.append(
        "\(counted(count, "label")) \(count == 1 ? "was" : "were") not printed: \(prints.due.jobNames). "
          + (prints.reason.map { "\($0) " } ?? "")
          + "Run \(command) when the printer is ready: \(count == 1 ? "it is" : "they are") printed then."
      )
    }
    if !prints.unsure.isEmpty {
      let count = prints.unsure.count
      sentences.append(
        "\(counted(count, "label")) may not have been printed: \(prints.unsure.jobNames). "
          + "Look for \(count == 1 ? "it" : "them"), then give --reprint-labels unsure, or the jobs' numbers, to print again."
      )
    }
    if !prints.tooLong.isEmpty {
      let count = prints.tooLong.count
      sentences.append(
        "\(counted(count, "label")) cannot be printed with this template: \(prints.tooLong.jobNames). "
          + "A text of \(count == 1 ? "it" : "each") is longer than a printer takes. Give a template with less text: \(count == 1 ? "it is" : "they are") printed then."
      )
    }
    return sentences
  }
}
