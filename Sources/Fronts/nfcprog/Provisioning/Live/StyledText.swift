/// A line in parts, so that what a terminal shows can be cut without cutting into its colours.
struct StyledText: Hashable {
  let text: String
  var style: Console.Style?

  init(_ text: String, _ style: Console.Style? = nil) { (self.text, self.style) = (text, style) }
}

extension [StyledText] {
  /// The columns of a terminal that it takes.
  var width: Int { reduce(0) { $0 + $1.text.columns } }

  /// At most `width` columns of it, nothing in it that acts on a terminal.
  func cut(to width: Int) -> [StyledText] {
    var room = width
    var result: [StyledText] = []
    for part in self {
      let text = part.text.harmless
      guard text.columns > room else {
        result.append(StyledText(text, part.style))
        room -= text.columns
        continue
      }
      if room > 0 { result.append(StyledText(text.head(room), part.style)) }
      break
    }
    return result
  }

  /// Exactly `width` columns of it.
  func padded(to width: Int) -> [StyledText] {
    let cut = cut(to: width)
    return cut + [StyledText(String(repeating: " ", count: Swift.max(0, width - cut.width)))]
  }

  /// For a terminal that shows ASCII only.
  var plain: [StyledText] { map { StyledText($0.text.plain, $0.style) } }
}

extension String {
  /// How many columns of a terminal it takes, as far as that can be told.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// At most `width` columns of it from its start, with `…` where something is left out.
  func head(_ width: Int) -> String {
    guard columns > width else { return self }
    var (result, room) = ("", width - 1)
    for character in self {
      guard character.columns <= room else { break }
      result.append(character)
      room -= character.columns
    }
    return width > 0 ? result + "…" : ""
  }

  /// At most `width` columns of its end: what tells `…/usb-FTDI_A` from `…/usb-FTDI_B`.
  func tail(_ width: Int) -> String {
    guard columns > width else { return self }
    return String(String(reversed()).head(width).reversed())
  }

  /// What tags and tables say may hold anything: here no character moves the cursor or turns the
  /// direction of writing.
  var harmless: String {
    guard unicodeScalars.contains(where: \.isHarmful) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.isHarmful ? " " : $0 }))
  }

  /// In ASCII; what has no likeness there is `?`.
  var plain: String {
    String(
      map { character in
        character.isASCII ? character : Self.likenesses[character] ?? "?"
      })
  }

  private static let likenesses: [Character: Character] = [
    "█": "#", "–": "-", "…": "~", "·": ".", "│": "|", "─": "-", "✔": "+", "✖": "x", "↻": "@",
    "○": "o", "▼": "v", "“": "\"", "”": "\"", "’": "'",
  ]
}

extension Unicode.Scalar {
  fileprivate var isHarmful: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: properties.isBidiControl
    default: false
    }
  }
}

extension Character {
  /// Two where East Asian writing and pictures take two (UAX #11, its wide blocks), else one.
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return 1 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
