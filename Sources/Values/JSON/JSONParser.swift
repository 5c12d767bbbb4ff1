/// Reads one JSON document from a row of scalars.
///
/// It keeps the open arrays and objects on a stack of its own, so that no input can overrun the
/// thread's.
struct JSONParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1
  private var open: [Container] = []

  /// An array or object whose closing bracket has not been seen.
  private struct Container {
    let isObject: Bool
    let position: JSONPosition
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    var name: (text: String, position: JSONPosition)?

    var isEmpty: Bool { elements.isEmpty && members.isEmpty }
    var closing: Unicode.Scalar { isObject ? "}" : "]" }
    var value: JSONValue {
      JSONValue(content: isObject ? .object(members) : .array(elements), position: position)
    }
  }

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  /// The document's value, with nothing but white space around it.
  mutating func document() throws(JSONError) -> JSONValue {
    skipSpace()
    guard peek != nil else { throw fault(.empty) }
    while true {
      guard var value = try beginValue() else { continue }
      // A complete value ends as many containers as closing brackets follow it.
      while true {
        skipSpace()
        guard !open.isEmpty else {
          guard peek == nil else { throw fault(isComment ? .comment : .trailingText) }
          return value
        }
        store(value)
        guard let closed = try endOfContainer() else { break }
        value = closed
      }
    }
  }

  /// A complete value, or nil when a bracket was opened and a first element or member is to come.
  private mutating func beginValue() throws(JSONError) -> JSONValue? {
    skipSpace()
    let position = position
    switch peek {
    case "{", "[":
      guard open.count < JSONDocument.depthLimit else { throw fault(.tooDeep) }
      open.append(Container(isObject: take() == "{", position: position))
      skipSpace()
      if peek == open[open.count - 1].closing {
        _ = take()
        return open.removeLast().value
      }
      if open[open.count - 1].isObject { try readName() }
      return nil
    case "\"": return JSONValue(content: .string(try string()), position: position)
    case let scalar? where scalar == "-" || Self.digits.contains(scalar):
      return JSONValue(content: .number(try number()), position: position)
    case "t": return JSONValue(content: .bool(try word("true", true)), position: position)
    case "f": return JSONValue(content: .bool(try word("false", false)), position: position)
    case "n": return JSONValue(content: try word("null", .null), position: position)
    case "]" where open.last.map { !$0.isObject && !$0.isEmpty } ?? false:
      throw fault(.trailingComma)
    default: throw fault(unexpected("a value"))
    }
  }

  private mutating func store(_ value: JSONValue) {
    let last = open.count - 1
    if let name = open[last].name {
      open[last].members.append(
        JSONMember(name: name.text, namePosition: name.position, value: value))
      open[last].name = nil
    } else {
      open[last].elements.append(value)
    }
  }

  /// After a value inside a container: its closing bracket gives the container's value; a comma
  /// leads to the next element or member and gives nil.
  private mutating func endOfContainer() throws(JSONError) -> JSONValue? {
    let container = open[open.count - 1]
    if peek == container.closing {
      _ = take()
      return open.removeLast().value
    }
    guard peek == "," else { throw fault(unexpected("a comma or \(container.closing)")) }
    _ = take()
    if container.isObject {
      skipSpace()
      if peek == "}" { throw fault(.trailingComma) }
      try readName()
    }
    return nil
  }

  /// A member's name and its colon.
  private mutating func readName() throws(JSONError) {
    skipSpace()
    guard peek == "\"" else { throw fault(unexpected("a name in quotes")) }
    let start = position
    open[open.count - 1].name = (try string(), start)
    skipSpace()
    guard peek == ":" else { throw fault(unexpected("a colon")) }
    _ = take()
  }

  private mutating func word<Value>(_ word: String, _ value: Value) throws(JSONError) -> Value {
    for scalar in word.unicodeScalars {
      guard peek == scalar else { throw fault(unexpected(word)) }
      _ = take()
    }
    return value
  }
}

// MARK: Strings and numbers

extension JSONParser {
  private mutating func string() throws(JSONError) -> String {
    _ = take()
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      switch scalar {
      case "\"":
        _ = take()
        return String(text)
      case "\\": text.append(try escape())
      case "\u{0}"..<"\u{20}": throw fault(.controlCharacter)
      default:
        _ = take()
        text.append(scalar)
      }
    }
    throw fault(.unexpectedEnd)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
  ]

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = self
    _ = take()
    guard let letter = peek else { throw fault(.unexpectedEnd) }
    if let meaning = Self.escapes[letter] {
      _ = take()
      return meaning
    }
    guard letter == "u" else { throw start.fault(.unknownEscape) }
    _ = take()
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), peek == "\\" else { throw start.fault(.loneSurrogate) }
    _ = take()
    guard peek == "u" else { throw start.fault(.loneSurrogate) }
    _ = take()
    let low = try codeUnit()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar((high - 0xD800) << 10 + (low - 0xDC00) + 0x1_0000)
    else { throw start.fault(.loneSurrogate) }
    return scalar
  }

  /// Four hexadecimal digits.
  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = peek else { throw fault(.unexpectedEnd) }
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw fault(.unknownEscape)
      }
      value = value << 4 | UInt32(digit)
      _ = take()
    }
    return value
  }

  private mutating func number() throws(JSONError) -> String {
    let start = self
    if peek == "-" { _ = take() }
    let leadsWithZero = peek == "0"
    let digits = takeDigits()
    guard digits > 0, digits == 1 || !leadsWithZero else { throw start.fault(.malformedNumber) }
    if peek == "." {
      _ = take()
      guard takeDigits() > 0 else { throw start.fault(.malformedNumber) }
    }
    if peek == "e" || peek == "E" {
      _ = take()
      if peek == "+" || peek == "-" { _ = take() }
      guard takeDigits() > 0 else { throw start.fault(.malformedNumber) }
    }
    return String(String.UnicodeScalarView(scalars[start.index..<index]))
  }

  private static let digits: ClosedRange<Unicode.Scalar> = "0"..."9"

  private mutating func takeDigits() -> Int {
    let start = index
    while let scalar = peek, Self.digits.contains(scalar) { _ = take() }
    return index - start
  }
}

// MARK: The text

extension JSONParser {
  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private var position: JSONPosition { JSONPosition(line: line, column: column) }

  private mutating func take() -> Unicode.Scalar {
    let scalar = scalars[index]
    index += 1
    (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    return scalar
  }

  private mutating func skipSpace() {
    while let scalar = peek, [" ", "\t", "\n", "\r"].contains(scalar) { _ = take() }
  }

  private var isComment: Bool { peek == "/" || peek == "#" }

  private func unexpected(_ expected: String) -> JSONError.Fault {
    guard let found = peek else { return .unexpectedEnd }
    return isComment ? .comment : .unexpected(found, expected: expected)
  }

  private func fault(_ fault: JSONError.Fault) -> JSONError {
    let steps = open.compactMap { container -> JSONPath.Step? in
      if container.isObject { return container.name.map { .member($0.text) } }
      return .element(container.elements.count)
    }
    return JSONError(fault: fault, position: position, path: JSONPath(steps))
  }
}
