import AppLinks
import BenchKit
import UniversalLinks

extension LinkVerdicts {
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
      + (LinkCheck.lines(findings) + [remedy.map(RemedyText.sentence)].compactMap(\.self)).map {
        "  \($0)"
      }
  }
}
