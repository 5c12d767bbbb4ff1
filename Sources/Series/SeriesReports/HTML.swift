/// Text, cells and rows of HTML, with everything that is given to them escaped.
enum HTML {
  /// What stands in a cell.
  enum Cell {
    case text(String?)
    case number(Int?)
    /// A number with its unit.
    case figure(String?)
    /// Hexadecimal.
    case code(String?)
    /// A word or a time, on one line.
    case word(String?)
    /// A state or outcome, coloured by its name.
    case state(String)
  }

  /// A column that begins with `#` has numbers.
  static func header(_ names: [String]) -> String {
    let cells = names.map { name in
      name.hasPrefix("#")
        ? "<th scope=\"col\" class=\"n\">\(text(String(name.dropFirst())))</th>"
        : "<th scope=\"col\">\(text(name))</th>"
    }
    return "<tr>\(cells.joined())</tr>"
  }

  static func row(_ cells: [Cell]) -> String {
    "<tr>" + cells.map(cell).joined() + "</tr>\n"
  }

  private static func cell(_ cell: Cell) -> String {
    switch cell {
    case .text(let value): "<td>\(text(value ?? ""))</td>"
    case .number(let value): "<td class=\"n\">\(value.map(Report.number) ?? "")</td>"
    case .figure(let value): "<td class=\"n\">\(text(value ?? ""))</td>"
    case .word(let value): "<td class=\"w\">\(text(value ?? ""))</td>"
    case .code(let value): "<td class=\"c\">\(text(value ?? ""))</td>"
    case .state(let value):
      "<td class=\"w\"><span class=\"s \(text(value))\">\(text(value))</span></td>"
    }
  }

  /// `value` as text: nothing in it is markup, and no character of it acts on its surroundings, be
  /// it a control character or one that turns the direction of writing; such show as their code.
  static func text(_ value: String) -> String {
    var result = ""
    result.reserveCapacity(value.utf8.count)
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        if [.control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse]
          .contains(
            scalar.properties.generalCategory)
        {
          result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
