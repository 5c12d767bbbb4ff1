/// A two-dimensional code that takes a part of its text for orders (ZPL II Programming Guide).
enum LabelCode: Hashable, Sendable {
  /// `^BQ`: the text begins with switches, and without them its own beginning is lost (Zebra,
  /// article 74231479).
  case qr
  /// `^BD` of mode 2 or 3: the text begins with a message for the carrier, of so many characters.
  case maxiCode(mode: Int, carrierLength: Int)
  /// `^BR`: a bar divides the text into the linear part and the composite one.
  case dataBar
  /// `^BT`: commas divide the text.
  case tlc39

  /// The code that `command` begins; nil for one that prints its text as it stands. Throws where
  /// values would be orders whatever is done.
  init?(_ command: ZPLCommand) throws(LabelTemplateError) {
    let parameters = command.plain.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { !$0.isWhitespace } }
    switch command.mark {
    case "^BQ": self = .qr
    case "^BD":
      switch parameters.first ?? "" {
      case "", "2": self = .maxiCode(mode: 2, carrierLength: 15)
      case "3": self = .maxiCode(mode: 3, carrierLength: 12)
      default: return nil
      }
    case "^BO", "^B0":
      // The escapes of extended channels (ECI) begin with a backslash.
      guard parameters.count > 2, parameters[2].uppercased() == "Y" else { return nil }
      throw LabelTemplateError(
        "With Y for extended channels in \(command.mark), characters of a text are orders to the printer, and a value may have them: write N."
      )
    case "^BR": self = .dataBar
    case "^BT": self = .tlc39
    default: return nil
    }
  }

  /// Why `text`, that of `^FD` or `^FV`, is printed otherwise than it stands; nil: it is not.
  func problem(of text: [LabelTemplate.Part]) -> String? {
    let start = if case .plain(let plain)? = text.first { plain } else { "" }
    let hasField = text.contains { if case .value = $0 { true } else { false } }
    switch self {
    case .qr:
      guard !Self.beginsWithSwitches(start, maySwitchModes: !hasField) else { return nil }
      return
        "The text of ^BQ begins with switches, and a printer takes its first characters for them: the code would lose its beginning. Write the level of error correction and the input mode in front, as in ^FDQA,\(Self.shown(text))^FS."
    case .maxiCode(let mode, let length):
      guard hasField, start.unicodeScalars.count < length else { return nil }
      return
        "The text of ^BD in mode \(mode) begins with \(length) characters for the carrier, and a printer takes the first of a value for them: write ^BD4."
    case .dataBar, .tlc39: return nil
    }
  }

  /// Why a value is printed otherwise than it stands; nil: it is not.
  func problem(ofValue value: String) -> String? {
    switch self {
    case .qr, .maxiCode: nil
    case .dataBar where value.contains("|"):
      "A value has a |, which divides the text of ^BR into its two parts."
    case .tlc39 where value.contains(","):
      "A value has a comma, which divides the text of ^BT into its parts."
    case .dataBar, .tlc39: nil
    }
  }

  /// `QA,`, or `MM,A` with the mode of the characters; in front perhaps the divisions of a code in
  /// several parts, whose texts commas divide.
  private static func beginsWithSwitches(_ text: String, maySwitchModes: Bool) -> Bool {
    let switches = /[HQML](A,|M,(N|A|K|B[0-9]{4}))/
    if text.prefixMatch(of: switches) != nil { return true }
    guard maySwitchModes, let parts = text.prefixMatch(of: /D[0-9]{4}[0-9A-F]{2},/) else {
      return false
    }
    return text[parts.range.upperBound...].prefixMatch(of: switches) != nil
  }

  /// The text, for a sentence.
  private static func shown(_ text: [LabelTemplate.Part]) -> String {
    text.map { part in
      switch part {
      case .plain(let plain): String(plain.prefix(40))
      case .value(let field): "{\(field)}"
      }
    }.joined()
  }
}
