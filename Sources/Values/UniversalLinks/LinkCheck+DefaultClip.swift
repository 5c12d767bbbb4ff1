import WebAddress

/// The link that Apple makes for every App Clip, on a host of its own.
extension LinkCheck {
  /// The clip that `https://appclip.apple.com/id?p=BUNDLE.Clip` names, by its bundle ID.
  static func defaultClip(of link: Address) -> String? {
    guard link.scheme == "https", link.host == "appclip.apple.com",
      link.path == "/id" || link.path == "/id/"
    else { return nil }
    return link.queryItems.first { $0.name == "p" && !$0.value.isEmpty }
      .map { PercentEncoding.decode($0.value) }
  }

  mutating func offerDefaultClip(_ clip: String) {
    (opens, appIDs) = (.appClip, [clip])
    report(
      .appClipDefaultLink, .url,
      """
      This is the link that Apple makes for the App Clip \(clip): no domain and no association file of one's own \
      belongs to it. A vendor (Persona) reports that tags with it offer the App Clip; Apple's pages do not say that: \
      try it with a phone. It wakes no full app.
      """)
  }
}
