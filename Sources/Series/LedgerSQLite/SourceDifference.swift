import Bytes
import JSON
import JobLists

/// How a source differs from what the journal adopted.
public struct SourceDifference: Hashable, Sendable {
  /// A job that is not what it was.
  package struct Row: Hashable, Sendable {
    package let number: Int
    /// Its line in the source.
    package let line: Int
    /// Its name in the journal.
    package let was: String
    /// Its name in the source; the same as `was` where something else of the row is different.
    package let now: String
  }

  /// How many rows are shown.
  static let shown = 5

  /// Sentences on the kind of source and its settings.
  package internal(set) var settings: [String] = []
  /// The first rows that differ.
  package internal(set) var rows: [Row] = []
  /// How many rows differ.
  package internal(set) var changed = 0
  /// How many of them are on tags, or may be: those stay as they are.
  package internal(set) var onTags = 0
  /// How many rows the source has beyond those of the journal.
  package internal(set) var added = 0
  /// How many rows at the journal's end the source has not.
  package internal(set) var removed = 0

  var isNone: Bool { settings.isEmpty && changed == 0 && added == 0 && removed == 0 }
  /// Is true if rows that are missing at the end are all there is.
  package var isLoss: Bool { settings.isEmpty && changed == 0 && added == 0 && removed > 0 }
  /// Is true if rows that are on no tag are all there is, beside some that were added.
  package var isCorrection: Bool {
    settings.isEmpty && changed > 0 && onTags == 0 && removed == 0
  }
  /// Is true if rows at the end are all there is.
  package var isAddition: Bool { settings.isEmpty && changed == 0 && removed == 0 }
}

extension SourceDifference: CustomStringConvertible {
  /// The description says what was, what is, and what to do about it.
  public var description: String {
    var lines = ["The jobs differ from those that the journal started with."]
    lines += settings.map { "  " + $0 }
    for row in rows {
      lines.append(
        row.was == row.now
          ? "  line \(row.line): \(quoted(row.now)) has other values than it had"
          : "  line \(row.line): was \(quoted(row.was)), is \(quoted(row.now))")
    }
    if changed > rows.count { lines.append("  and \(changed - rows.count) more rows differ") }
    if added > 0 { lines.append("  \(counted(added, "row")) added at the end") }
    if removed > 0 { lines.append("  \(counted(removed, "row")) removed at the end") }
    lines.append(
      isAddition
        ? "The program can take up added rows; another series needs another journal."
        : isCorrection
          ? "The rows that differ are on no tag yet: the program can take them up as they are now."
          : "Give the source as it was\(onTags > 0 && settings.isEmpty ? ": \(counted(onTags, "row")) that \(onTags == 1 ? "differs is" : "differ are") on tags" : "")."
    )
    return lines.joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String {
    let short = text.prefix(60)
    return "“\(String(short).escapingControls)\(short.endIndex < text.endIndex ? "…" : "")”"
  }
}

extension SourceDescription {
  /// As a store has them: `[["name","value"],…]`.
  package var storedSettings: String { JSONText.pairs(settings.map { ($0.name, $0.value) }) }

  /// What tells the settings from those that are known: sentences.
  package func differences(from known: SourceDescription) -> [String] {
    var sentences: [String] = []
    if known.kind != kind { sentences.append("the source was \(known.kind), is \(kind)") }
    let was = Dictionary(known.settings.map { ($0.name, $0.value) }) { $1 }
    let now = Dictionary(settings.map { ($0.name, $0.value) }) { $1 }
    // A table that was saved in another dialect has the same rows.
    let names = Set(was.keys).union(now.keys).subtracting([TableDialect.settingName])
    for name in names.sorted() where was[name] != now[name] {
      let (old, new) = (was[name].map { "“\($0)”" }, now[name].map { "“\($0)”" })
      sentences.append(
        "\(name): was \(old ?? "not given"), is \(new ?? "not given")".escapingControls)
    }
    return sentences
  }
}
