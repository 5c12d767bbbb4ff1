import Bytes
import Hummingbird
import TagMemory

/// What stands behind the `?` of an address, read strictly: a name that is not known, or a value
/// that cannot be, is a mistake of the client and never ignored.
package struct Query {
  private var values: [String: String] = [:]

  /// `names`: what the address takes.
  package init(_ request: Request, takes names: [String]) throws(Problem) {
    for pair in (request.uri.query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decode(parts[0])
      guard names.contains(name) else {
        let known = names.isEmpty ? "none" : names.joined(separator: ", ")
        throw Problem(.badRequest, "There is no parameter \(Self.quote(name)) here: \(known).")
      }
      guard values[name] == nil else {
        throw Problem(.badRequest, "The parameter \(name) stands there twice.")
      }
      values[name] = try Self.decode(parts.count > 1 ? parts[1] : "")
    }
  }

  package var isEmpty: Bool { values.isEmpty }

  /// A text without control characters, at most 200 characters.
  package func text(_ name: String) throws(Problem) -> String? {
    guard let text = values[name] else { return nil }
    guard (1...200).contains(text.unicodeScalars.count) else {
      throw Problem(.badRequest, "The parameter \(name) has 1 to 200 characters.")
    }
    return text
  }

  /// A URL with places for columns: longer than other texts.
  package func template(_ name: String) throws(Problem) -> String? {
    guard let text = values[name] else { return nil }
    guard (1...4000).contains(text.unicodeScalars.count) else {
      throw Problem(.badRequest, "The parameter \(name) has 1 to 4000 characters.")
    }
    return text
  }

  /// A whole number, in decimal digits.
  package func number<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(Problem) -> Number? {
    guard let text = values[name] else { return nil }
    return try Self.number(text, "parameter \(name)", in: range)
  }

  package func flag(_ name: String) throws(Problem) -> Bool? {
    switch values[name] {
    case nil: nil
    case "true": true
    case "false": false
    default: throw Problem(.badRequest, "The parameter \(name) is true or false.")
    }
  }

  package func uid(_ name: String) throws(Problem) -> UID? {
    guard let text = values[name] else { return nil }
    return try Self.uid(text)
  }

  package func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Value.Type
  ) throws(Problem) -> Value? where Value.RawValue == String {
    guard let text = values[name] else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(.badRequest, "The parameter \(name) is one of: \(known).")
    }
    return value
  }

  package static func number<Number: FixedWidthInteger>(
    _ text: String, _ what: String, in range: ClosedRange<Number>
  ) throws(Problem) -> Number {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Number(text), range.contains(number)
    else {
      throw Problem(
        .badRequest,
        "The \(what) is a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// 4 to 10 bytes in hexadecimal digits.
  package static func uid(_ text: String) throws(Problem) -> UID {
    guard text.utf8.count <= 20, let bytes = try? Hex.bytes(text), (4...10).contains(bytes.count)
    else {
      throw Problem(.badRequest, "A UID has 4 to 10 bytes in hexadecimal digits: 04a1b2c3d4e5f6.")
    }
    return UID(bytes)
  }

  /// Undoes percent-encoding; `+` is a space. Throws for what is no UTF-8, or has control
  /// characters.
  package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = true) throws(Problem)
    -> String
  {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+"), plusIsSpace {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%") {
        guard rest.count >= 2,
          let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
          rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-")
        else { throw Problem(.badRequest, "The address has a % without two hexadecimal digits.") }
        rest = rest.dropFirst(2)
        bytes.append(value)
      } else {
        bytes.append(byte)
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw Problem(.badRequest, "The address is not UTF-8.")
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw Problem(.badRequest, "The address has control characters.")
    }
    return decoded
  }

  private static func quote(_ text: String) -> String { "“\(text.prefix(60))”" }
}

extension ServingContext {
  /// A part of the path, its percent-encoding undone.
  package func part(_ name: String) throws(Problem) -> String {
    try Query.decode(parameters.get(name) ?? "", plusIsSpace: false)
  }
}
