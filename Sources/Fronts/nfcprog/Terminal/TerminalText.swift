import Bytes

/// What the program writes for people, wherever its texts come from: a server, a database, a
/// journal, a path or an argument may hold orders to a terminal.
enum TerminalText {
  /// `text` with each control character, and each that turns the direction of writing, as its code,
  /// but for line ends, tabs and the colours that this program sets.
  static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isOrder) else { return text }
    var (result, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
    while let scalar = rest.first {
      if scalar == "\u{1B}", let colour = colours.first(where: { rest.starts(with: $0) }) {
        result.append(contentsOf: colour)
        rest = rest.dropFirst(colour.count)
        continue
      }
      rest = rest.dropFirst()
      if isOrder(scalar) {
        result.append(contentsOf: scalar.escaped.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// `text` with its lines broken between words where they have more than `columns`; what goes on
  /// stands two columns further in. A word that is longer than a line stays whole, so that a link
  /// can be copied, and so does a line with colours.
  static func laidOut(_ text: String, columns: Int?) -> String {
    guard let columns, columns >= 40 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { broken(String($0), columns) }.joined(separator: "\n")
  }

  private static func broken(_ line: String, _ columns: Int) -> String {
    guard line.columns > columns, !line.contains("\u{1B}") else { return line }
    let indent = line.prefix { $0 == " " }
    var (lines, isFirst) = ([String(indent)], true)
    for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false)
    {
      let last = lines[lines.count - 1]
      if isFirst || last.columns + 1 + String(word).columns <= columns {
        lines[lines.count - 1] += isFirst ? String(word) : " \(word)"
      } else {
        lines.append(indent + "  " + word)
      }
      isFirst = false
    }
    return lines.joined(separator: "\n")
  }

  /// Those that change how letters look, and nothing else.
  private static let colours: [[Unicode.Scalar]] =
    (["0"] + Console.Style.allCases.map(\.rawValue)).map { Array("\u{1B}[\($0)m".unicodeScalars) }

  private static func isOrder(_ scalar: Unicode.Scalar) -> Bool {
    scalar.actsOnTerminals && scalar != "\n" && scalar != "\t"
  }
}
