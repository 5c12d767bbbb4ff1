/// One value of a JSON document and where it stands.
package struct JSONValue: Hashable, Sendable {
  /// What the value is (RFC 8259, 3).
  package enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The digits as written.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members in the order of the text; a name may occur more than once.
    case object([JSONMember])
  }

  package let content: Content
  /// Where the value begins.
  package let position: JSONPosition

  package init(content: Content, position: JSONPosition) {
    (self.content, self.position) = (content, position)
  }

  /// The text, when the value is a string.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// Says whether it is true or false, when it is one of these.
  package var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  /// The elements, when the value is an array.
  package var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The members, when the value is an object.
  package var object: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// What messages call a value of this type.
  package var typeName: String {
    switch content {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// One name and its value in a JSON object.
package struct JSONMember: Hashable, Sendable {
  package let name: String
  /// Where the name's opening quote stands.
  package let namePosition: JSONPosition
  package let value: JSONValue

  package init(name: String, namePosition: JSONPosition, value: JSONValue) {
    (self.name, self.namePosition, self.value) = (name, namePosition, value)
  }
}

extension [JSONMember] {
  /// The last value called `name`, which is what most parsers keep of a repeated name.
  package func last(named name: String) -> JSONValue? {
    last { $0.name == name }?.value
  }
}

/// A place in a JSON text.
public struct JSONPosition: Hashable, Sendable {
  /// The first line is 1.
  package let line: Int
  /// In Unicode scalars; the first of a line is 1.
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension JSONPosition: CustomStringConvertible {
  public var description: String { "line \(line), column \(column)" }
}

extension JSONValue {
  /// This value with the members of every object in it, innermost first, as `change` makes them.
  package func mappingObjects(_ change: ([JSONMember]) -> [JSONMember]) -> JSONValue {
    switch content {
    case .array(let elements):
      JSONValue(
        content: .array(elements.map { $0.mappingObjects(change) }), position: position)
    case .object(let members):
      JSONValue(
        content: .object(
          change(
            members.map {
              JSONMember(
                name: $0.name, namePosition: $0.namePosition,
                value: $0.value.mappingObjects(change))
            })), position: position)
    case .null, .bool, .number, .string: self
    }
  }
}
