import WebAddress

/// The parts of one link as the rules of a file compare them, each made ready once for all rules.
final class LinkTexts {
  let link: Address
  private var texts: [Key: MatchedText] = [:]

  private struct Key: Hashable {
    let text: String
    let isPath: Bool
    let isDecoded: Bool
    let foldsCase: Bool
  }

  init(_ link: Address) { self.link = link }

  func path(for component: Component) -> MatchedText {
    ready(link.path, component, isPath: true, isDecoded: !component.isPercentEncoded)
  }

  /// `written` as `component` compares it.
  func text(_ written: String, for component: Component) -> MatchedText {
    ready(written, component, isPath: false, isDecoded: !component.isPercentEncoded)
  }

  /// A text that has been decoded where it has to be.
  func decoded(_ text: String, for component: Component) -> MatchedText {
    ready(text, component, isPath: false, isDecoded: false)
  }

  private func ready(
    _ text: String, _ component: Component, isPath: Bool, isDecoded: Bool
  ) -> MatchedText {
    let foldsCase = !component.isCaseSensitive
    let key = Key(text: text, isPath: isPath, isDecoded: isDecoded, foldsCase: foldsCase)
    if let known = texts[key] { return known }
    let plain = isDecoded ? PercentEncoding.decode(text) : text
    let made = MatchedText(isPath ? Pattern.comparedPath(plain) : plain, foldsCase: foldsCase)
    texts[key] = made
    return made
  }
}
