/// The way from the top of a JSON document to one of its values: `$.applinks.details[0]`.
public struct JSONPath: Hashable, Sendable {
  /// One step down.
  package enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
  }

  package var steps: [Step] = []

  package init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The path to the member `name` of the object here.
  package subscript(name: String) -> JSONPath { JSONPath(steps + [.member(name)]) }

  /// The path to the element `index` of the array here; the first is 0.
  package subscript(index: Int) -> JSONPath { JSONPath(steps + [.element(index)]) }
}

extension JSONPath: CustomStringConvertible {
  /// The notation of RFC 9535: names that are no plain words stand in brackets and quotes.
  public var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .element(let index): text += "[\(index)]"
      case .member(let name) where Self.isPlain(name): text += "." + name
      case .member(let name): text += "[" + JSONText.quoted(name) + "]"
      }
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "_") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
