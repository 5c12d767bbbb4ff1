import Bytes

/// Where the jobs of a journal come from.
package struct SourceDescription: Hashable, Sendable {
  /// Something that shapes every job: the template, the type of tag, whether tags are locked. No
  /// secrets.
  package struct Setting: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// `csv`, `codes`, `range`.
  package let kind: String
  /// The file, or the range. A file may move: its name alone is no difference.
  package let name: String
  package let settings: [Setting]

  package init(kind: String, name: String, settings: [Setting] = []) {
    self.kind = kind
    self.name = name
    self.settings = settings
  }

  /// A list whose rows are made jobs of by `settings`; keys are none of them.
  package init(kind: String, name: String, _ settings: JobSource.Settings) {
    var list: [Setting] = []
    for record in settings.message?.records ?? [] {
      list.append(Setting("record \(list.count + 1)", "\(record.option) \(record.text)"))
    }
    if let tag = settings.tagType { list.append(Setting("tag", tag)) }
    if settings.locks { list.append(Setting("lock", "yes")) }
    self.init(kind: kind, name: name, settings: list)
  }

  /// What makes jobs of the list's rows: as `init(kind:name:_:)` was given it.
  package var jobSettings: JobSource.Settings {
    var (settings, records) = (JobSource.Settings(), [MessageTemplate.Record]())
    for setting in self.settings {
      switch setting.name {
      case "tag": settings.tagType = setting.value
      case "lock": settings.locks = true
      default:
        let parts = setting.value.split(
          separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        records.append(
          .init(option: String(parts[0]), text: parts.dropFirst().first.map(String.init) ?? ""))
      }
    }
    settings.message = records.isEmpty ? nil : MessageTemplate(records: records)
    return settings
  }
}

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
  /// How many rows the source has beyond those of the journal.
  package internal(set) var added = 0
  /// How many rows at the journal's end the source has not.
  package internal(set) var removed = 0

  var isNone: Bool { settings.isEmpty && changed == 0 && added == 0 && removed == 0 }
  /// Whether rows at the end are all there is.
  package var isAddition: Bool { settings.isEmpty && changed == 0 && removed == 0 }
}

extension SourceDifference: CustomStringConvertible {
  /// What was, what is, and what to do about it.
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
        : "Give the source as it was, or another journal for another series.")
    return lines.joined(separator: "\n")
  }

  private func quoted(_ text: String) -> String {
    let short = text.prefix(60)
    return "“\(String(short).escapingControls)\(short.endIndex < text.endIndex ? "…" : "")”"
  }
}

extension String {
  /// Fit for a terminal: control characters, and those that turn the direction of writing, as their
  /// code.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.actsOnTerminals) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.actsOnTerminals {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var actsOnTerminals: Bool {
    properties.generalCategory == .control || properties.isBidiControl
  }
}
