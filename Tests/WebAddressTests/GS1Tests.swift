import Testing

@testable import WebAddress

@Suite("Check digits and GS1 Digital Links")
struct GS1Tests {
  @Test(
    "check digits of published numbers",
    arguments: [
      // ISO/IEC 7812-1, annex B; the card number of ISO's text books.
      (CheckDigit.luhn, "7992739871", "3"), (.luhn, "0", "0"), (.luhn, "453201511283036", "6"),
      // GS1 General Specifications, 7.9.1, and an EAN, a UPC and a GTIN-8 of products.
      (.gs1, "37610425002123456", "9"), (.gs1, "400638133393", "1"), (.gs1, "03600029145", "2"),
      (.gs1, "9638507", "4"), (.mod10, "12", "3"), (.gs1, "0950600013435", "2"),
      // ISO/IEC 7064, 9.3: 794 becomes 79444. An IBAN's, whose country stands last.
      (.mod97, "794", "44"), (.mod97, "WEST12345698765432GB", "82"),
    ])
  func digits(kind: CheckDigit, number: String, expected: String) throws {
    #expect(try kind.digits(of: number) == expected)
  }

  @Test(
    "what is no number is refused, and so is a GS1 number of a wrong length",
    arguments: [
      (CheckDigit.luhn, "12a"), (.luhn, ""), (.mod10, "A5"), (.mod97, "a"), (.gs1, "12345678"),
      (.luhn, "\u{0661}"),
    ])
  func refused(kind: CheckDigit, number: String) {
    #expect(throws: CheckDigit.Refusal.self) { try kind.digits(of: number) }
  }

  @Test("one wrong digit, and two neighbours that changed places, are found")
  func finds() throws {
    for kind in CheckDigit.allCases {
      let number = Array("0950600013435")
      let digits = try kind.digits(of: String(number))
      for place in number.indices {
        for digit in "0123456789" where digit != number[place] {
          var wrong = number
          wrong[place] = digit
          #expect(try kind.digits(of: String(wrong)) != digits)
        }
      }
      for place in number.indices.dropLast() where kind == .mod97 {
        var wrong = number
        wrong.swapAt(place, place + 1)
        #expect(try wrong == number || kind.digits(of: String(wrong)) != digits)
      }
    }
  }

  @Test(
    "links of GS1's own texts are good",
    arguments: [
      "https://id.gs1.org/01/09506000134352",
      "https://id.gs1.org/01/09506000134352/10/ABC123",
      "https://example.com/some/path/01/09506000134352/22/2A/10/ABC/21/12345?17=251231&linkType=gs1:pip",
      "https://id.gs1.org/00/106141412345678908", "https://example.com/01/09506000134352/21/01",
      "https://id.gs1.org/414/9506000134376/254/32a%2Fb", "https://id.gs1.org/8004/9506000134352",
      "https://id.gs1.org/253/9506000134352ABC", "https://id.gs1.org/8003/09506000134352",
      "https://id.gs1.org/8013/1987654Ad4X4bL5ttr2310c2K", "HTTP://EXAMPLE.COM/01/09506000134352/",
      "https://id.gs1.org/01/09506000134352/235/TPX#part",
    ])
  func good(link: String) throws {
    #expect(throws: Never.self) { try GS1Link.check(link) }
  }

  @Test(
    "what is wrong is named",
    arguments: [
      ("https://id.gs1.org/01/09506000134353", "its last digit would be 2"),
      ("https://id.gs1.org/01/9506000134352", "14 digits"),
      ("https://id.gs1.org/01/0950600013435A", "digits alone"),
      ("https://id.gs1.org/gtin/09506000134352", "does not end with an identifier"),
      ("https://id.gs1.org/01/09506000134352/21/1/10/A", "22, 10, 21"),
      ("https://id.gs1.org/01/09506000134352/21/1/21/2", "each at most once"),
      ("https://id.gs1.org/01/09506000134352/235/1/21/2", "22, 10, 21, or 235"),
      ("https://id.gs1.org/00/106141412345678908/21/1", "nothing follows"),
      ("https://id.gs1.org/01/09506000134352/21/123456789012345678901", "1 to 20 characters"),
      ("https://id.gs1.org/01/09506000134352/21/", "1 to 20 characters"),
      ("https://id.gs1.org/01/09506000134352/21/%C3%A9", "GS1 has no"),
      ("https://id.gs1.org/01/09506000134352/21/a%2", "percent-encoded"),
      ("https://id.gs1.org/01/09506000134352?21=12", "behind the question mark"),
      ("https://id.gs1.org/8013/1987654Ad4X4bL5ttr2310c2L", "would be 2K"),
      ("https://id.gs1.org/8003/19506000134352", "a 0 at its beginning"),
      ("https://id.gs1.org", "does not end"), ("tel:+4930", "no web link"),
      ("https://id.gs1.org/01/09506000134352/other/x", "does not stand where it may"),
    ])
  func wrong(link: String, words: String) {
    let fault = #expect(throws: GS1Link.Fault.self) { try GS1Link.check(link) }
    #expect(fault?.reason.contains(words) == true, "\(link): \(fault?.reason ?? "")")
  }

  @Test("no text is a trap")
  func hostile() {
    for link in [
      "https://", "https:///", "https://a/01", "https://a//", "https://a/01//21/", "?", "",
    ] {
      #expect(throws: GS1Link.Fault.self) { try GS1Link.check(link) }
    }
  }
}
