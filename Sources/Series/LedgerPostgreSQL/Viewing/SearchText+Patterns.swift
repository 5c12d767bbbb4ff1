import JSON
import Ledger

extension SearchText {
  /// Regular expressions that find the text in a name, a link or the value of a column, capital and
  /// small letters being the same: of a text as it stands, and of columns.
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
