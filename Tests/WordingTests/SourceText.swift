import Foundation

/// The string literals of a Swift source.
struct SourceText {
  /// A literal as it is written, interpolations included, and whether it stands in a call of a
  /// failure's initializer.
  struct Literal: Hashable {
    var text: String
    let isOfFailure: Bool
  }

  private let bytes: [UInt8]
  private var index = 0
  private var literals: [Literal] = []
  /// For each parenthesis that is open, whether it is of a failure.
  private var calls: [Bool] = []
  /// Where the last literal ended, while nothing but a `+` has followed it.
  private var joinsAt: Int?

  /// The literals of `source`, those that a `+` joins as one. `failures` are the names of the calls
  /// whose literals are of a failure.
  static func literals(of source: String, failures: Set<String>) -> [Literal] {
    var text = SourceText(bytes: Array(source.utf8))
    text.scan(failures)
    return text.literals
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func starts(with text: StaticString) -> Bool {
    let end = index + text.utf8CodeUnitCount
    return end <= bytes.count
      && text.withUTF8Buffer { unsafe $0.elementsEqual(bytes[index..<end]) }
  }

  private mutating func scan(_ failures: Set<String>) {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/") where starts(with: "//"):
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      case UInt8(ascii: "\""):
        let literal = string()
        if joinsAt != nil, !literals.isEmpty {
          literals[literals.count - 1].text += literal
        } else {
          literals.append(Literal(text: literal, isOfFailure: calls.contains(true)))
        }
        joinsAt = index
      case UInt8(ascii: "("):
        calls.append(failures.contains(nameBefore()))
        (index, joinsAt) = (index + 1, nil)
      case UInt8(ascii: ")"):
        if !calls.isEmpty { calls.removeLast() }
        (index, joinsAt) = (index + 1, nil)
      case UInt8(ascii: "+"), UInt8(ascii: " "), UInt8(ascii: "\n"): index += 1
      default: (index, joinsAt) = (index + 1, nil)
      }
    }
  }

  /// The identifier that ends here.
  private func nameBefore() -> String {
    let letters = bytes[..<index].reversed().prefix {
      $0 == UInt8(ascii: "_") || Character(UnicodeScalar($0)).isLetter
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }

  /// Reads the literal that begins here, without its quotation marks.
  private mutating func string() -> String {
    let isLong = starts(with: "\"\"\"")
    index += isLong ? 3 : 1
    let start = index
    while index < bytes.count {
      if isLong ? starts(with: "\"\"\"") : bytes[index] == UInt8(ascii: "\"") { break }
      if starts(with: "\\(") {
        index += 2
        interpolation()
      } else {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
    }
    let text = String(decoding: bytes[start..<min(index, bytes.count)], as: UTF8.self)
    index += isLong ? 3 : 1
    return isLong ? Self.unindented(text) : text
  }

  /// Passes over what is interpolated, up to its closing parenthesis.
  private mutating func interpolation() {
    var depth = 1
    while index < bytes.count, depth > 0 {
      switch bytes[index] {
      case UInt8(ascii: "\""): _ = string()
      case UInt8(ascii: "("): (depth, index) = (depth + 1, index + 1)
      case UInt8(ascii: ")"): (depth, index) = (depth - 1, index + 1)
      default: index += 1
      }
    }
  }

  /// A literal of several lines as it is read.
  private static func unindented(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let indentation = lines.popLast()?.count ?? 0
    return lines.map { $0.dropFirst(indentation) }.joined(separator: "\n")
      .replacingOccurrences(of: "\\\n", with: "")
  }
}
