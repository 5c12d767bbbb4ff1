import Testing
import WebAddress

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A line of `Vectors/addresses.txt`, which the command line's checks go through as well.
struct AddressVector: CustomTestStringConvertible {
  let name, given: String
  /// What is written; nil where it is no address.
  let text: String?
  let changes: [String]

  var testDescription: String { name }

  static func load() throws -> [AddressVector] {
    let directory = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let file = try String(contentsOfFile: "/\(directory)/Vectors/addresses.txt", encoding: .utf8)
    return try file.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let cells = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 4, "addresses.txt: \(line)")
      let isAddress = cells[2] != "refused"
      return AddressVector(
        name: cells[0], given: unescaped(cells[1]),
        text: !isAddress ? nil : cells[2] == "=" ? cells[1] : cells[2],
        changes: cells[3] == "-" ? [] : cells[3].split(separator: " ").map(String.init))
    }
  }

  /// `\u{…}` for what cannot stand in the file.
  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.range(of: "\\u{"),
      let end = rest[start.upperBound...].firstIndex(of: "}")
    {
      result += rest[..<start.lowerBound]
      if let value = UInt32(rest[start.upperBound..<end], radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        result.unicodeScalars.append(scalar)
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

@Suite("Addresses, RFC 3986")
struct AddressTests {
  @Test("refuses every control character of Unicode, and takes nothing else for one")
  func controlCharacters() {
    for value: UInt32 in 0...0x2FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var isControl = false
      do throws(AddressError) {
        _ = try Address(parsing: "https://example.com/a\(scalar)b")
      } catch {
        if case .controlCharacter(scalar) = error { isControl = true }
      }
      let wanted = scalar.properties.generalCategory == .control
      #expect(isControl == wanted, "U+\(String(value, radix: 16))")
    }
  }

  @Test("takes what is an address, and says what it changes", arguments: try AddressVector.load())
  func vector(_ vector: AddressVector) throws {
    guard let text = vector.text else {
      #expect(throws: AddressError.self) { try Address(parsing: vector.given) }
      return
    }
    let address = try Address(parsing: vector.given)
    #expect(address.text == text)
    #expect(address.alterations.map(\.code) == vector.changes)
    let again = try Address(parsing: address.text)
    #expect(again.text == text && again.alterations.isEmpty)
    #expect("\(again)" == "\(address)")
    #expect(text.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
  }

  @Test("says in words what it changes")
  func words() throws {
    let address = try Address(parsing: "https://b\u{FC}cher.example/a b?\u{E9}\u{200B}")
    #expect(
      address.alterations.map { "\($0)" } == [
        "the host b\u{FC}cher.example becomes xn--bcher-kva.example",
        "a space becomes %20, \u{E9} becomes %C3%A9, U+200B becomes %E2%80%8B",
      ])
  }

  @Test("two lines of vectors never say the same of different texts")
  func names() throws {
    let vectors = try AddressVector.load()
    #expect(Set(vectors.map(\.name)).count == vectors.count && vectors.count > 60)
  }
}
