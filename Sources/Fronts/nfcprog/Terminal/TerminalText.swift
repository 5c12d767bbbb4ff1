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

  /// Those that change how letters look, and nothing else.
  private static let colours: [[Unicode.Scalar]] =
    (["0"] + Console.Style.allCases.map(\.rawValue)).map { Array("\u{1B}[\($0)m".unicodeScalars) }

  private static func isOrder(_ scalar: Unicode.Scalar) -> Bool {
    scalar.actsOnTerminals && scalar != "\n" && scalar != "\t"
  }
}
