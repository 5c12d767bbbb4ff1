import NDEF

/// Braces outside of a job list, where no row fills a field in.
///
/// A field there is the mistake of somebody who means `provision`: it is refused, and not put onto
/// a tag as braces.
package enum Braces {
  /// An address as it is meant: `{{` and `}}` are braces. Fails for a field, and for braces that do
  /// not pair.
  package static func address(_ text: String) throws(RecordTextError) -> String {
    guard text.contains(where: { $0 == "{" || $0 == "}" }) else { return text }
    return try plain(Template(text))
  }

  /// Text as it is meant. Braces are common in it and stay as they are, but for `{name}`, which is
  /// a field and refused, and `{{name}}`, which is written `{name}`.
  package static func text(_ text: String) throws(RecordTextError) -> String {
    guard text.contains("{"), let template = try? Template(text) else { return text }
    let names = template.fields
    if names.contains(where: isName) { return try plain(template) }
    guard names.isEmpty else { return text }
    let undoubled = try plain(template)
    let meant = (try? Template(undoubled))?.fields ?? []
    return !meant.isEmpty && meant.allSatisfy(isName) ? undoubled : text
  }

  private static func plain(_ template: Template) throws(RecordTextError) -> String {
    var result = ""
    for piece in template.pieces {
      switch piece {
      case .text(let text): result += text
      case .field(let name): throw .badInput(refusal(of: name))
      }
    }
    return result
  }

  private static func refusal(of name: String) -> String {
    let field = "{\(RecordTextError.plain(name))}"
    let place =
      if name.hasPrefix("mirror") {
        "\(field) is a place that the tag itself fills in: write-url and write --uri take it, and provision."
      } else if proofs.contains(String(name.prefix { $0 != ":" })) {
        "\(field) is a place that an NTAG 424 DNA fills in: write-url --sdm --keys FILE and provision --sdm --keys FILE take it."
      } else {
        "\(field) is a field, and fields belong to provision, which fills them in from a list or a range: nfcprog provision LIST --template …."
      }
    return place + " For a brace itself write {{ or }}, in a URL also %7B or %7D."
  }

  /// The places of an NTAG 424 DNA that are no fields of a list.
  private static let proofs: Set<String> = ["picc", "enc", "mac", "tt"]

  /// Returns whether a field may be called so: a word, perhaps with others behind colons.
  private static func isName(_ text: String) -> Bool {
    let isInWord = { (character: Character) in
      character.isLetter || character.isNumber || "_-+:".contains(character)
    }
    return text.first?.isLetter == true && text.allSatisfy(isInWord)
  }
}
