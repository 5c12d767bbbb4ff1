/// Why a text is not JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Fault: Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// A byte that cannot stand there in UTF-8.
    case notUTF8
    /// The text begins with a byte-order mark of UTF-16 or UTF-32.
    case otherEncoding(String)
    /// The text ends inside a value.
    case unexpectedEnd
    /// A character that cannot stand there; `expected` says what can.
    case unexpected(Unicode.Scalar, expected: String)
    /// A comma before a closing bracket.
    case trailingComma
    /// `//`, `/*` or `#`.
    case comment
    /// Text after the end of the document.
    case trailingText
    /// More brackets open than `JSONDocument.depthLimit`.
    case tooDeep
    /// A number that RFC 8259, 6, does not allow: a leading zero or plus, a missing digit.
    case malformedNumber
    /// A backslash and something that RFC 8259, 7, does not know.
    case unknownEscape
    /// Half of a surrogate pair.
    case loneSurrogate
    /// A raw line break, tab or other control character between quotes.
    case controlCharacter
  }

  package let fault: Fault
  package let position: JSONPosition
  /// The value that was being read.
  package let path: JSONPath
}

extension JSONError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String { "\(position) (\(path)): \(fault)" }
}

extension JSONError.Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "there is nothing here, not even an empty object"
    case .notUTF8: "this byte is not UTF-8"
    case .otherEncoding(let name): "the text is \(name), JSON on the web is UTF-8"
    case .unexpectedEnd: "the text ends in the middle of a value"
    case .unexpected(let found, let expected):
      "found \(JSONText.quoted(String(Character(found)))) where \(expected) should stand"
    case .trailingComma: "JSON allows no comma before a closing bracket"
    case .comment: "JSON has no comments; a component may carry a \"comment\" key"
    case .trailingText: "text follows the end of the document"
    case .tooDeep: "more than \(JSONDocument.depthLimit) brackets are open"
    case .malformedNumber: "this is not how JSON writes a number"
    case .unknownEscape: "JSON does not know this escape"
    case .loneSurrogate: "half of a surrogate pair stands alone"
    case .controlCharacter: "a line break, tab or control character in a string must be escaped"
    }
  }
}
