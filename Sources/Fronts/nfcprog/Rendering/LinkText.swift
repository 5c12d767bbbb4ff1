import AppLinks
import Bench
import UniversalLinks

extension LinkCheck {
  /// That an app is woken, and the line of the association file that says so; nil where none is.
  var proof: String? {
    guard wakesApp else { return nil }
    let line = decidedBy?.decidedBy.map { ", line \($0.position.line)" } ?? ""
    return "Checked: wakes \(appIDs.joined(separator: ", "))\(line)"
  }
}

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
  /// The verdict, what each version does, what speaks against it, and what to do.
  var lines: [String] {
    let rest =
      table + LinkCheck.lines(findings) + [remedy.map(RemedyText.sentence)].compactMap(\.self)
    return ["Android: \(self)"] + (rest + advice).map { "  \($0)" }
  }

  /// A line for each version.
  private var table: [String] {
    ["Android  does      decided by"]
      + versions.map { version in
        let outcome = version.outcome.rawValue
        return "\(version.release.rawValue)       \(outcome)"
          + String(repeating: " ", count: max(1, 10 - outcome.count))
          + "\(version.step.rawValue): \(version.reason)"
      }
  }
}
