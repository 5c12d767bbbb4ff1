import Bytes
import JSON
import LedgerSQLite
import TagMemory

/// What somebody searches for: a text of a job's columns, a tag or a job's number.
package struct SearchText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  /// The UID that it may be, with or without marks between its bytes: 4 to 10 bytes.
  package var uid: UID? {
    let digits = text.filter { !" :.-".contains($0) }
    guard digits.utf8.count <= 20, let bytes = try? Hex.bytes(digits),
      (4...10).contains(bytes.count)
    else { return nil }
    return UID(bytes)
  }

  /// The job that it names as `#17`, `job 17`, `17` or `1,234`. A number with zeros before it is a
  /// code, unless it is said to be a job's.
  package var job: Int? {
    let parts = text.lowercased().wholeMatch(
      of: /(job\s*#?|#)?\s*([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)/)
    guard let parts, parts.output.1 != nil || !parts.output.2.hasPrefix("0"),
      let number = Int(parts.output.2.replacing(",", with: "")),
      (1...Int(Int32.max)).contains(number)
    else { return nil }
    return number
  }

  /// Whether it can be nothing but a job's number.
  package var isJobOnly: Bool {
    job != nil && text.contains("#") || text.lowercased().hasPrefix("job") && job != nil
  }
}

extension SearchText {
  /// Whether the text stands in a name, a link or the value of a column, capital and small letters
  /// being the same. `columns`: as a journal has them.
  func isIn(name: String, link: String?, columns: String) -> Bool {
    let wanted = text.lowercased()
    func has(_ text: String) -> Bool { text.lowercased().contains(wanted) }
    if has(name) || link.map(has) == true { return true }
    // Most rows have it nowhere, and need not be taken apart.
    guard has(columns) || columns.utf8.contains(0x5C) else { return false }
    return ((try? StoredJob.pairs(columns)) ?? []).contains { has($0.1) }
  }

  /// The same for a database, as regular expressions: of a text as it stands, and of columns.
  var patterns: (text: String, columns: String) {
    let escaped = JSONText.quoted(text).dropFirst().dropLast()
    return (Self.pattern(text), #"","(?:[^"\\]|\\.)*"# + Self.pattern(String(escaped)))
  }

  private static func pattern(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let forms = Set([
        String(scalar), scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping,
      ])
      let words = forms.sorted().map { form in
        form.unicodeScalars.map { scalar in
          scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
            ? "\\\(scalar)" : "\(scalar)"
        }.joined()
      }
      return words.count == 1 ? words[0] : "(?:\(words.joined(separator: "|")))"
    }.joined()
  }
}
