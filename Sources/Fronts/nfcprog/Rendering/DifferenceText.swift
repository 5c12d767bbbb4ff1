import Bytes
import NDEF
import TagMemory
import TagProgramming

/// Where two memories differ, for people.
enum DifferenceText {
  static func lines(
    _ comparison: MemoryComparison, _ first: ComparedDump, _ second: ComparedDump
  ) -> [String] {
    var lines = [headline(comparison, first, second)]
    let width = comparison.differences.map { "\($0.place)".count }.max() ?? 0
    for difference in comparison.differences {
      let place = "\(difference.place)"
      let gap = String(repeating: " ", count: width - place.count)
      lines.append("  \(place)\(gap)  \(difference.meaning.joined(separator: ", "))")
      lines.append("    - \(text(difference.first))")
      lines.append("    + \(text(difference.second))")
    }
    lines += comparison.beside.map { "  \($0)" }
    if comparison.hasOtherMessage, !comparison.isEqual, comparison.kinds == nil {
      lines.append("  message")
      lines.append("    - \(message(first))")
      lines.append("    + \(message(second))")
    }
    if !comparison.unknown.isEmpty {
      lines.append(
        "Not compared, since one of the two does not hold all of it: \(list(comparison.unknown)).")
    }
    return lines
  }

  private static func headline(
    _ comparison: MemoryComparison, _ first: ComparedDump, _ second: ComparedDump
  ) -> String {
    if let kinds = comparison.kinds {
      return "\(first.name) and \(second.name) are of different kinds of tags: \(kinds)."
    }
    if comparison.isEqual {
      return
        "\(first.name) and \(second.name) hold the same\(comparison.unknown.isEmpty ? "" : ", as far as both are known")."
    }
    return "\(first.name) (-) and \(second.name) (+) differ:"
  }

  /// The records in one line.
  private static func message(_ side: ComparedDump) -> String {
    guard let bytes = side.dump.image.message else { return "none that can be read" }
    guard !bytes.isEmpty else { return "empty" }
    guard let message = try? Message(parsing: bytes) else { return "damaged" }
    return message.records.map(\.summary).joined(separator: "; ")
  }

  private static func text(_ bytes: [UInt8?]) -> String {
    bytes.isEmpty
      ? "nothing"
      : bytes.map { $0.map { Hex.byte($0).uppercased() } ?? "**" }.joined(separator: " ")
  }

  /// `pages 43 and 44`.
  private static func list(_ places: [Place]) -> String {
    let pages = places.compactMap { $0.page.map { Int($0.number) } }
    let blocks = places.compactMap { $0.block.map { Int($0.index) } }
    if !pages.isEmpty { return "\(pages.count == 1 ? "page" : "pages") \(NumberRuns.list(pages))" }
    if !blocks.isEmpty {
      return "\(blocks.count == 1 ? "block" : "blocks") \(NumberRuns.list(blocks))"
    }
    return places.map(\.description).joined(separator: ", ")
  }
}
