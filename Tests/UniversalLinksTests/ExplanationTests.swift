import Testing
import UniversalLinks

@Suite("Explaining a check to people")
struct ExplanationTests {
  private static let app = "Q7K2M9P4ZX.com.example.app"

  private func check(_ path: String, components: [String]) -> LinkCheck {
    let file =
      #"{"applinks":{"details":[{"appIDs":["\#(Self.app)"],"components":["#
      + components.joined(separator: ",\n") + "]}]}}"
    return LinkCheck(
      url: "https://example.com" + path, association: LinkCheck.Association(parsing: file.utf8),
      appIDs: [Self.app])
  }

  @Test("names each rule with its place, the reason against it, and the one that decides")
  func decided() {
    let check = check("/t/1", components: [#"{"/":"/a","exclude":true}"#, #"{"/":"/t/*"}"#])
    #expect(
      check.explanation == [
        "\(Self.app), its rules in their order, the first that matches decides:",
        #"  $.applinks.details[0].components[0] (line 1), not / "/a": does not decide, "#
          + #"the path "/t/1" does not match "/a""#,
        #"  $.applinks.details[0].components[1] (line 2), / "/t/*": matches and decides, "#
          + "the app opens it",
      ])
    #expect(check.refusal == nil)
  }

  @Test("says that no rule is left, and gives each finding with its code")
  func undecided() {
    let check = check("/u", components: [#"{"/":"/t/*"}"#])
    #expect(check.explanation.count == 4)
    #expect(check.explanation[2] == "  no rule is left: the link stays in the browser")
    #expect(check.explanation[3].hasPrefix("error: site association: "))
    #expect(check.explanation[3].hasSuffix(" [link-unmatched]"))
  }

  @Test("leaves out the middle of a long run of rules that do not match")
  func long() {
    let rules = (0..<40).map { #"{"/":"/a/\#($0)"}"# } + [#"{"/":"/t/*","exclude":true}"#]
    let explanation = check("/t/1", components: rules).explanation
    #expect(explanation.count == 13)
    #expect(explanation[6] == "  … 31 more rules that do not match …")
    #expect(explanation[11].hasSuffix("matches and decides, the link stays in the browser"))
  }

  @Test("a refusal says what opens instead and why, errors before warnings")
  func refusal() {
    let text = check("/u//u", components: [#"{"/":"/t/*"}"#]).refusal
    #expect(
      text == """
        https://example.com/u//u wakes no app; it opens in the browser. https://example.com/u//u \
        stays in the browser: none of the 1 rules for \(Self.app) matches. The nearest of them: \
        $.applinks.details[0].components[0] (line 1) does not decide: the path "/u//u" does not \
        match "/t/*".
        """)
    let unchecked = LinkCheck(url: "https://example.com/t/1", association: nil)
    #expect(unchecked.refusal?.contains("No site association was checked") == true)
  }

  @Test("a file is valid unless something in it is an error")
  func validity() {
    let warning = Finding(.unknownKey, .siteAssociation, "Odd.")
    #expect(Lint.isValid([warning]))
    #expect(!Lint.isValid([warning, Finding(.notJSON, .siteAssociation, "Bad.")]))
  }
}
