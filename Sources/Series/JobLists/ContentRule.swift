import WebAddress

/// A rule that a person names for the links of tags; they keep it beside the rules for every link.
package enum ContentRule: String, CaseIterable, Hashable, Sendable {
  /// A GS1 Digital Link.
  case gs1

  /// Why `link` is none, in a sentence; nil where it is one.
  package func refusal(of link: String) -> String? {
    do throws(GS1Link.Fault) {
      try GS1Link.check(link)
      return nil
    } catch {
      return "\(link) is no GS1 Digital Link: \(error.reason)."
    }
  }
}
