/// Finds what the TOML parser does not survive: it ends the whole process where a heading has no
/// name, a bracket closes none, a date is cut short, or a space is not of ASCII.
struct TextCheck {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  /// The brackets that are open, those of a heading aside.
  private var open: [UInt8] = []
  private var isHeading = false
  private var startsLine = true
  private var expectsValue = false

  /// Throws with the first line on which the parser would stop for good.
  static func run(_ text: String) throws(SettingsError) {
    var check = TextCheck(text)
    while check.place < check.bytes.count { try check.step() }
  }

  private init(_ text: String) {
    bytes = Array(text.utf8)
    // A byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func step() throws(SettingsError) {
    let byte = bytes[place]
    let (wasStart, wasValue) = (startsLine, expectsValue)
    if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") {
      (startsLine, expectsValue) = (false, false)
    }
    switch byte {
    case UInt8(ascii: "\n"):
      line += 1
      (startsLine, isHeading) = (open.isEmpty, false)
      expectsValue = wasValue && !open.isEmpty
    case UInt8(ascii: "\r"), UInt8(ascii: "\t"), UInt8(ascii: " "): break
    case UInt8(ascii: "#"):
      while let byte = self.byte, byte != UInt8(ascii: "\n") { place += 1 }
      expectsValue = wasValue
      return
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return skipText(byte)
    case UInt8(ascii: "["):
      if wasStart { return try beginHeading() }
      if !isHeading { (open, expectsValue) = (open + [byte], true) }
    case UInt8(ascii: "{"): open.append(byte)
    case UInt8(ascii: "]") where isHeading: break
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      // The codes of two brackets that belong together are 2 apart.
      guard open.popLast() == byte - 2 else {
        throw failure("\u{201C}\(Character(Unicode.Scalar(byte)))\u{201D} closes no bracket")
      }
    case UInt8(ascii: "="): expectsValue = true
    case UInt8(ascii: ","): expectsValue = open.last == UInt8(ascii: "[")
    case 0..<0x20, 0x7F...:
      throw failure("there is a character outside quotes that belongs within quotes")
    default:
      if wasValue, startsDate { throw failure("a date has no meaning here") }
    }
    place += 1
  }

  /// Is true if a date comes next, and what may be a time behind it.
  private var startsDate: Bool {
    let pattern = "0000-00-00"
    let next = bytes[place...].prefix(pattern.utf8.count + 1)
    guard let last = next.last, "Tt ".utf8.contains(last) else { return false }
    return next.dropLast().map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? 0x30 : $0 }
      .elementsEqual(pattern.utf8)
  }

  private mutating func beginHeading() throws(SettingsError) {
    isHeading = true
    for _ in 1...2 where byte == UInt8(ascii: "[") {
      place += 1
      while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { place += 1 }
    }
    let character = byte.map { Character(Unicode.Scalar($0)) }
    guard let character, character.isASCII,
      character.isLetter || character.isNumber || "-_\"']".contains(character)
    else {
      throw failure("a heading is [NAME], with quotes around any other than a plain name")
    }
  }

  /// Skips what stands in quotes, over several lines where there are three.
  private mutating func skipText(_ quote: UInt8) {
    let isLong = bytes[place...].starts(with: [quote, quote, quote])
    let end = [UInt8](repeating: quote, count: isLong ? 3 : 1)
    place += end.count
    while let byte, isLong || byte != UInt8(ascii: "\n") {
      if bytes[place...].starts(with: end) {
        place += end.count
        // Up to two quotes may stand before the closing ones.
        while isLong, self.byte == quote { place += 1 }
        return
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      if isEscape, place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\n") { line += 1 }
      place += isEscape ? 2 : 1
    }
  }

  private func failure(_ reason: String) -> SettingsError {
    SettingsError(line: line, reason: reason)
  }
}
