import Testing

@testable import JSON

@Suite("JSON with positions, RFC 8259")
struct JSONTests {
  @Test(
    "reads every kind of value",
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("-0", .number("-0")),
      ("10.25e+3", .number("10.25e+3")), (#""""#, .string("")), ("[]", .array([])),
      ("{}", .object([])), ("[ ]", .array([])), ("\t\r\n{ }\n", .object([])),
      (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u00e9\uD83D\uDE00é😀""#, .string("é😀é😀")), (#""\u0000""#, .string("\u{0}")),
    ] as [(String, JSONValue.Content)])
  func value(text: String, content: JSONValue.Content) throws {
    #expect(try JSONDocument(parsing: text.utf8).root.content == content)
  }

  @Test(
    "refuses what is not JSON, and says where",
    arguments: [
      ("", .empty, 1, 1, "$"), (" \n ", .empty, 2, 2, "$"), ("{", .unexpectedEnd, 1, 2, "$"),
      ("[", .unexpectedEnd, 1, 2, "$[0]"), ("[1", .unexpectedEnd, 1, 3, "$[1]"),
      ("[1,]", .trailingComma, 1, 4, "$[1]"), (#"{"a":1,}"#, .trailingComma, 1, 8, "$"),
      ("[,1]", .unexpected(",", expected: "a value"), 1, 2, "$[0]"),
      ("{\n  \"a\": // x\n1}", .comment, 2, 8, "$.a"), ("/* x */ 1", .comment, 1, 1, "$"),
      ("1 # x", .comment, 1, 3, "$"), ("1 2", .trailingText, 1, 3, "$"),
      ("{} {}", .trailingText, 1, 4, "$"),
      ("[1 2]", .unexpected("2", expected: "a comma or ]"), 1, 4, "$[1]"),
      ("[1}", .unexpected("}", expected: "a comma or ]"), 1, 3, "$[1]"),
      ("{1:2}", .unexpected("1", expected: "a name in quotes"), 1, 2, "$"),
      (#"{"a" 1}"#, .unexpected("1", expected: "a colon"), 1, 6, "$.a"),
      (#"{"a":}"#, .unexpected("}", expected: "a value"), 1, 6, "$.a"),
      (#"{"a":["#, .unexpectedEnd, 1, 7, "$.a[0]"),
      ("]", .unexpected("]", expected: "a value"), 1, 1, "$"),
      ("truth", .unexpected("t", expected: "true"), 1, 4, "$"), ("nul", .unexpectedEnd, 1, 4, "$"),
      ("01", .malformedNumber, 1, 1, "$"), ("-", .malformedNumber, 1, 1, "$"),
      ("1.", .malformedNumber, 1, 1, "$"), (".5", .unexpected(".", expected: "a value"), 1, 1, "$"),
      ("+1", .unexpected("+", expected: "a value"), 1, 1, "$"), ("1e", .malformedNumber, 1, 1, "$"),
      ("'a'", .unexpected("'", expected: "a value"), 1, 1, "$"),
      (#""a"#, .unexpectedEnd, 1, 3, "$"),
      ("\"a\nb\"", .controlCharacter, 1, 3, "$"), (#""\x""#, .unknownEscape, 1, 2, "$"),
      (#""\u12G4""#, .unknownEscape, 1, 6, "$"), (#""\uD83D""#, .loneSurrogate, 1, 2, "$"),
      (#""\uDE00""#, .loneSurrogate, 1, 2, "$"), (#""\uD83D\u0041""#, .loneSurrogate, 1, 2, "$"),
      ("\u{A0}1", .unexpected("\u{A0}", expected: "a value"), 1, 1, "$"),
    ] as [(String, JSONError.Fault, Int, Int, String)])
  func fault(text: String, fault: JSONError.Fault, line: Int, column: Int, path: String) throws {
    let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: text.utf8) }
    #expect(error?.fault == fault)
    #expect(error?.position == JSONPosition(line: line, column: column))
    #expect(error.map { "\($0.path)" } == path)
  }

  @Test("keeps order, repeated names and positions")
  func positions() throws {
    let text = "{\n  \"b\": 1,\n  \"é\": [true,\n    null], \"b\": {}\n}"
    let members = try #require(try JSONDocument(parsing: text.utf8).root.object)
    #expect(members.map(\.name) == ["b", "é", "b"])
    #expect(
      members.map(\.namePosition) == [
        JSONPosition(line: 2, column: 3), JSONPosition(line: 3, column: 3),
        JSONPosition(line: 4, column: 12),
      ])
    let elements = try #require(members[1].value.array)
    #expect(elements.map(\.position.line) == [3, 4])
    #expect(elements[1].position.column == 5)
    #expect(members.last(named: "b")?.object?.isEmpty == true)
  }

  @Test("takes as many open brackets as its limit, without recursion")
  func depth() throws {
    let limit = JSONDocument.depthLimit
    let text = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    _ = try JSONDocument(parsing: text.utf8)
    let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: ("[" + text).utf8) }
    #expect(error?.fault == .tooDeep)
    #expect(throws: JSONError.self) {
      try JSONDocument(parsing: String(repeating: "{\"a\":[", count: 100_000).utf8)
    }
  }

  @Test("reads back what it writes, on one line and on several")
  func writing() throws {
    let text = JSONText.object([
      ("a", .array([.number(-1), .bool(true), .null])), ("b\n\"\\/\u{1}\u{7F}é", .string("\t😀")),
      ("c", .array([.object([]), .array([]), .object([("d", .string(""))])])),
    ])
    #expect(
      text.line
        == #"{"a":[-1,true,null],"b\n\"\\/\u0001\u007fé":"\t😀","c":[{},[],{"d":""}]}"#)
    let line = try JSONDocument(parsing: text.line.utf8).root
    let pretty = try JSONDocument(parsing: text.pretty().utf8).root
    #expect(withoutPositions(line) == withoutPositions(pretty))
  }

  @Test("its paths name members and elements as RFC 9535 does")
  func paths() {
    #expect(
      "\(JSONPath()["a_1"][0]["/"]["1a"]["\""])" == #"$.a_1[0]["/"]["1a"]["\""]"#)
  }
}

/// A value's content as text.
func withoutPositions(_ value: JSONValue) -> String {
  switch value.content {
  case .null: "null"
  case .bool(let value): "\(value)"
  case .number(let digits): digits
  case .string(let text): JSONText.quoted(text)
  case .array(let elements): "[" + elements.map(withoutPositions).joined(separator: ",") + "]"
  case .object(let members):
    "{"
      + members.map { JSONText.quoted($0.name) + ":" + withoutPositions($0.value) }
      .joined(separator: ",") + "}"
  }
}
