import SeededNumbers
import Testing

@testable import UniversalLinks

@Suite("Patterns")
struct PatternTests {
  /// Compares without an automaton: every way to cut the text is tried.
  private func slowlyMatches(_ elements: ArraySlice<PatternElement>, _ text: ArraySlice<UInt32>)
    -> Bool
  {
    guard let first = elements.first else { return text.isEmpty }
    let rest = elements.dropFirst()
    func one(_ accepts: (UInt32) -> Bool) -> Bool {
      text.first.map(accepts) == true && slowlyMatches(rest, text.dropFirst())
    }
    switch first {
    case .literal(let scalar): return one { $0 == scalar }
    case .character(let named): return one(named.contains)
    case .anyCharacter: return one { _ in true }
    case .anyRun:
      return (0...text.count).contains { slowlyMatches(rest, text.dropFirst($0)) }
    case .choice, .values:
      return (first.alternatives ?? []).contains { slowlyMatches(($0 + rest)[...], text) }
    }
  }

  private static let parts = [
    "a", "b", "A", "/", "*", "?", "$(v)", "$(w)", "$(digit)", "$(upper)", "1",
  ]
  private static let variables = SubstitutionVariables([
    "v": ["ab", "a*", "", "?b"], "w": ["/", "1b/"],
  ])

  private func randomPattern(_ random: inout SeededGenerator, upTo count: Int = 5) throws -> Pattern
  {
    try Pattern(
      random.text(of: Self.parts, upTo: count), variables: Self.variables,
      caseSensitive: Bool.random(using: &random), isPath: Bool.random(using: &random),
      isCompared: true)
  }

  @Test("agree with trying every way to cut the text, in 20000 random cases")
  func agreesWithReference() throws {
    var random = SeededGenerator(seed: 1)
    var matches = 0
    for _ in 0..<20_000 {
      let pattern = try randomPattern(&random)
      let text = random.text(of: ["a", "b", "A", "/", "1"], upTo: 5)
      let scalars = text.unicodeScalars.map {
        pattern.foldsCase ? CaseFolding.fold($0.value) : $0.value
      }
      let expected = slowlyMatches(pattern.elements[...], scalars[...])
      if expected { matches += 1 }
      #expect(pattern.matches(text) == expected, "\(pattern.text) \(text)")
    }
    #expect(matches > 1_500)
  }

  @Test("what covers another matches all that it matches, in 20000 random cases")
  func coversSoundly() throws {
    var random = SeededGenerator(seed: 2)
    var covered = 0
    for _ in 0..<20_000 {
      let (one, other) = (try randomPattern(&random, upTo: 4), try randomPattern(&random, upTo: 4))
      guard one.covers(other) else { continue }
      covered += 1
      for _ in 0..<20 {
        let text = random.text(of: ["a", "b", "A", "B", "/", "1", "\u{212A}"], upTo: 5)
        #expect(!other.matches(text) || one.matches(text), "\(one.text) \(other.text) \(text)")
      }
    }
    #expect(covered > 1_000)
  }

  @Test(
    "know what covers what",
    arguments: [
      ("*", "/a/$(lang)?*", true), ("/a/*", "/a", true), ("/a/*", "/a/b/*", true),
      ("/a*", "/a/*", true), ("/a/*", "/a*", false), ("/a?", "/a*", false), ("/a*", "/a?", true),
      ("/*b", "/ab", true), ("/?*", "/*?", true), ("/*?", "/?*", true),
      ("/$(lang)", "/de", true), ("/$(lang)/*", "/$(lang)/x", true), ("/de", "/$(lang)", false),
      ("/$(alpha)*", "/$(lang)", true), ("/$(alpha)$(alpha)", "/$(region)", true),
      ("/$(alpha)$(alpha)", "/$(lang)", false), ("/$(xdigit)", "/$(digit)", true),
      ("/a/*/c", "/a/b/c", true), ("/a/*/c", "/a/c", false), ("abc/", "//abc", true),
    ])
  func covers(one: String, other: String, expected: Bool) throws {
    let pattern = try Pattern(one, isPath: true, isCompared: true)
    #expect(try pattern.covers(Pattern(other, isPath: true)) == expected)
  }

  @Test(
    "take hostile patterns and texts in a moment",
    .timeLimit(.minutes(20)),
    arguments: [
      String(repeating: "*?", count: 200), String(repeating: "*a", count: 200) + "b",
      "*" + String(repeating: "a", count: 500) + "b*",
      String(repeating: "$(v)", count: 20) + "b",
      String(repeating: "*$(v)", count: 20) + "?b",
    ])
  func hostile(pattern: String) throws {
    let variables = SubstitutionVariables(["v": ["a", "aa", "a*", "*", "?"]])
    let text = String(repeating: "a", count: 100_000)
    let pattern = try Pattern(pattern, variables: variables)
    #expect(pattern.matches(text) == (pattern.text.last == "?"))
  }

  @Test("have a limit on their size")
  func tooLarge() throws {
    let limit = Pattern.sizeLimit
    _ = try Pattern(String(repeating: "a", count: limit))
    #expect(throws: UniversalLinksError.pattern(.tooLarge)) {
      try Pattern(String(repeating: "?", count: limit + 1))
    }
  }

  @Test("a variable with more than 16,384 characters in all is matched")
  func longVariable() throws {
    let values = (0..<6000).map { "item\($0)" }
    let pattern = try Pattern(
      "/t/$(v)/*", variables: SubstitutionVariables(["v": values]), isPath: true)
    #expect(pattern.matchesPath("/t/item5999/x") && pattern.matchesPath("/t/item0"))
    #expect(!pattern.matchesPath("/t/item6000/x"))
  }

  @Test("count characters, not bytes")
  func characters() throws {
    #expect(try Pattern("??").matches("é😀"))
    #expect(try !Pattern("?").matches("é😀"))
    #expect(try Pattern("STRASSE*É", caseSensitive: false).matches("strasse é"))
  }

  @Test("name an undefined variable")
  func undefined() {
    #expect(throws: UniversalLinksError.pattern(.undefinedVariable("Lang"))) {
      try Pattern("/$(Lang)")
    }
  }

  @Test("the predefined lists are those of ISO 3166-1 and ISO 639")
  func isoCodes() {
    #expect(ISOCodes.regions.count == 249)
    #expect(Set(ISOCodes.regions).count == 249)
    #expect(ISOCodes.regions.allSatisfy { $0.utf8.count == 2 && $0 == $0.uppercased() })
    #expect(Set(ISOCodes.languages).isSuperset(of: ["en", "de", "zh", "ar", "haw"]))
    #expect(Set(ISOCodes.languages).count == ISOCodes.languages.count)
    #expect(ISOCodes.languages.count { $0.utf8.count == 2 } == 184)
    #expect(ISOCodes.languages.allSatisfy { [2, 3].contains($0.utf8.count) })
  }
}
