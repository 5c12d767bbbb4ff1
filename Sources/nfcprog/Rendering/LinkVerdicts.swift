import AppLinks
import UniversalLinks

/// What a tag's message does on phones, a verdict for each platform that somebody asked about.
struct LinkVerdicts {
  var iphone: LinkCheck?
  var android: AppLinkCheck?

  /// Nil where nothing was asked.
  var json: LinkJSON? { LinkJSON(iphone, android: android) }

  /// A verdict, and behind it why.
  var lines: [String] {
    var lines: [String] = []
    if let iphone { lines += ["\(iphone)"] + iphone.explanation.map { "  \($0)" } }
    if let android { lines += android.lines }
    return lines
  }
}

extension AppLinkCheck {
  /// The verdict, what speaks against it, and what to do.
  var lines: [String] {
    ["Android: \(self)"]
      + (LinkCheck.lines(findings) + [proposal].compactMap(\.self)).map { "  \($0)" }
  }
}
