/// The texts of a part that lists them, or of a cell: what `<t>` elements hold, one behind the
/// other, but for how they are pronounced (ECMA-376 part 1, 18.4).
struct TextRuns {
  private(set) var bytes: [UInt8] = []
  private var isText = false
  private var isPronunciation = false

  mutating func begin(_ element: String) {
    switch element {
    case "t": isText = !isPronunciation
    case "rPh": isPronunciation = true
    default: break
    }
  }

  mutating func end(_ element: String) {
    switch element {
    case "t": isText = false
    case "rPh": isPronunciation = false
    default: break
    }
  }

  mutating func add(_ text: ArraySlice<UInt8>) {
    if isText { bytes += text }
  }

  /// The text; the next one begins.
  mutating func take() -> String {
    defer { self = TextRuns() }
    return Self.unescaped(String(decoding: bytes, as: UTF8.self))
  }

  /// `_x000D_` stands for the character of that number (ECMA-376 part 1, 22.9.2.19).
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "_")), text.contains("_x") else { return text }
    var result = ""
    var rest = text[...]
    while let character = rest.first {
      if character == "_", rest.dropFirst().first == "x" {
        let digits = rest.dropFirst(2).prefix(4)
        if digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
          rest.dropFirst(6).first == "_", let number = UInt32(digits, radix: 16),
          let scalar = Unicode.Scalar(number)
        {
          result.unicodeScalars.append(scalar)
          rest = rest.dropFirst(7)
          continue
        }
      }
      result.append(character)
      rest = rest.dropFirst()
    }
    return result
  }
}

extension ZIPArchive {
  /// The texts that cells name by their number.
  func sharedTexts(_ name: String) throws(WorkbookError) -> [String] {
    var texts: [String] = []
    var runs = TextRuns()
    let part = XMLPart(
      name,
      begin: { element, _ in runs.begin(element) },
      end: { element in
        runs.end(element)
        if element == "si" { texts.append(runs.take()) }
      },
      text: { runs.add($0) })
    _ = try read(name) { (piece) throws(WorkbookError) in
      try part.feed(piece)
      guard texts.count <= SheetReader.mostRows * 8 else {
        throw .damaged(part: name, "there are more texts than a list has")
      }
    }
    return texts
  }
}
