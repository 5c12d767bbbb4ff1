/// Makes of the commands of a template what is sent for each tag.
struct LabelTemplateReader {
  private let commands: [ZPLCommand]
  private var pieces: [LabelTemplate.Piece] = []
  private var isInLabel = false
  private var hasLabel = false
  /// How the next text is written.
  private var encoding = LabelTemplate.Encoding()

  init(_ commands: [ZPLCommand]) { self.commands = commands }

  mutating func read() throws(LabelTemplateError) -> [LabelTemplate.Piece] {
    for (index, command) in commands.enumerated() {
      try check(command)
      try take(command, at: index)
    }
    guard hasLabel, !isInLabel else { throw Self.noLabel }
    return pieces
  }

  private static let noLabel = LabelTemplateError(
    "It is no whole label: a label begins with ^XA and ends with ^XZ.")

  private mutating func take(_ command: ZPLCommand, at index: Int) throws(LabelTemplateError) {
    if let code = try LabelCode(command) { encoding.code = code }
    switch command.mark {
    case "": break
    case "^XA":
      guard !isInLabel else { throw Self.noLabel }
      isInLabel = true
      encoding = LabelTemplate.Encoding()
      add(command)
      let label = commands[index...].prefix { $0.mark != "^XZ" }
      if !label.contains(where: { $0.mark == "^CI" }) { add("^CI28") }
      return
    case "^XZ":
      guard isInLabel else { throw Self.noLabel }
      (isInLabel, hasLabel) = (false, true)
    case "^FH":
      encoding.isGiven = true
      encoding.indicator = command.plain.utf8.first { $0 > 0x20 } ?? UInt8(ascii: "_")
    case "^BC": encoding.isCode128 = true
    case "^FB", "^B7": encoding.escape = UInt8(ascii: "\\")
    case "^BX":
      // Printers differ in the escape character of a template that gives none.
      let parts = command.plain.split(separator: ",", omittingEmptySubsequences: false)
      if parts.count > 6, parts[2].filter(\.isNumber) == "200" {
        encoding.escape = parts[6].utf8.first { (0x21...0x7E).contains($0) }
      }
    case "^FS": encoding = LabelTemplate.Encoding()
    case "^FD", "^FV":
      if let problem = encoding.code?.problem(of: command.rest) {
        throw LabelTemplateError(problem)
      }
      guard command.field != nil else { break }
      for (part, next) in zip(command.rest, command.rest.dropFirst()) {
        guard case .plain(let text) = part, case .value(let field) = next,
          let order = encoding.openOrder(in: text)
        else { continue }
        throw LabelTemplateError(
          "In front of {\(field)} stands \(order), which begins an order to the printer, and the value would be a part of it: end the order first."
        )
      }
      if !encoding.isGiven { add("^FH_") }
      add(command.mark)
      pieces.append(.text(command.rest, encoding))
      (encoding.isGiven, encoding.indicator) = (false, UInt8(ascii: "_"))
      return
    default: break
    }
    add(command)
  }

  /// Throws for a command that would end the safety of the others, or the talk with the printer.
  private func check(_ command: ZPLCommand) throws(LabelTemplateError) {
    if let field = command.field, command.mark != "^FD", command.mark != "^FV" {
      throw LabelTemplateError(
        "The field {\(field)} stands \(command.mark.isEmpty ? "before ^XA" : "in \(command.mark)"): a field may stand in the text of ^FD or ^FV only."
      )
    }
    switch command.name {
    case "CC", "CT", "CD":
      throw LabelTemplateError(
        "\(command.mark) changes the characters that commands begin with, and is not taken.")
    case "CI" where command.plain.trimmingSpaces != "28":
      throw LabelTemplateError(
        "\(command.mark)\(command.plain.trimmingSpaces) is another encoding than the values have, which is UTF-8: write ^CI28."
      )
    case "FC", "FE", "SF", "TB":
      throw LabelTemplateError(
        "With \(command.mark), characters of a text are orders to the printer, and a value may have them: it is not taken."
      )
    case "JA", "JP", "JR", "JX":
      throw LabelTemplateError("\(command.mark) discards other labels, and is not taken.")
    case "SX":
      throw LabelTemplateError(
        "\(command.mark) makes the printer speak without being asked, and is not taken.")
    case let name where name.hasPrefix("H"):
      throw LabelTemplateError("\(command.mark) asks the printer for an answer, and is not taken.")
    case "" where !command.plain.trimmingSpaces.isEmpty && command.prefix == 0: throw Self.noLabel
    default: break
    }
  }

  private mutating func add(_ text: String) { pieces.append(.bytes(Array(text.utf8))) }

  private mutating func add(_ command: ZPLCommand) { add(command.mark + command.plain) }
}

extension String {
  /// Without spaces and line breaks around it.
  fileprivate var trimmingSpaces: String {
    let isKept = { (character: Character) in !character.isWhitespace }
    guard let first = firstIndex(where: isKept), let last = lastIndex(where: isKept) else {
      return ""
    }
    return String(self[first...last])
  }
}
