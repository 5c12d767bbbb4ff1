/// An address with a place for what the tag's ASCII mirror shows: `{mirror:uid}`, 14 digits;
/// `{mirror:counter}`, 6 digits; `{mirror:uid+counter}`, both with an `x` between them.
package enum MirrorTemplate {
  private static let start = "{mirror:"

  /// Returns whether `text` has such a place, or what is meant for one.
  package static func isPresent(in text: String) -> Bool { text.contains(start) }

  /// `text` with the placeholder in the place, and what it is for; nil where it has none.
  package static func expand(_ text: String) throws(MirrorTemplateError) -> (
    text: String, content: ASCIIMirror.Content?
  ) {
    let parts = text.split(separator: start, omittingEmptySubsequences: false)
    guard parts.count > 1 else { return (text, nil) }
    guard parts.count == 2 else { throw .several }
    let names = ASCIIMirror.Content.allCases.filter { parts[1].hasPrefix($0.name + "}") }
    guard let content = names.first else {
      throw .unknown(String(parts[1].prefix { $0 != "}" }.prefix(20)))
    }
    let rest = String(parts[0]) + parts[1].dropFirst(content.name.count + 1)
    for placeholder in ASCIIMirror.Content.allCases.map(\.placeholder) {
      guard !rest.contains(placeholder) else { throw .placeholderInText(placeholder) }
    }
    return (
      parts[0] + content.placeholder + parts[1].dropFirst(content.name.count + 1), content
    )
  }
}

/// What is wrong with an address that has a place for a mirror.
package enum MirrorTemplateError: Error, Hashable {
  /// A chip has one mirror.
  case several
  /// No mirror is called so.
  case unknown(String)
  /// The address itself has the text that is stored below a mirror.
  case placeholderInText(String)

  package var sentence: String {
    switch self {
    case .several:
      "The URL has several places for a mirror, and a tag has one: {mirror:uid+counter} shows both."
    case .unknown(let name):
      "{mirror:\(name)} is not a mirror. Mirrors are {mirror:uid}, {mirror:counter} and {mirror:uid+counter}."
    case .placeholderInText(let text):
      "The URL has the text \(text), which this program stores below a mirror. Change the URL."
    }
  }
}
