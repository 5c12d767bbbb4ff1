import UniversalLinks
import WebAddress

/// A link, a line end, and a site association: checked and matched; the answers agree with each
/// other, and neither takes long.
enum AssociationTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    let line = bytes.prefix { $0 != 0x0A }
    let file = Array(bytes.dropFirst(line.count + 1))
    let findings = Lint.findings(parsing: file)
    let text = String(decoding: line, as: UTF8.self)
    let isGS1 = (try? GS1Link.check(text)) != nil
    let link = try? Address(parsing: text)
    if let link {
      // What a telephone leaves out of an address changes nothing of what it names.
      let bare = link.written.prefix { $0 != "#" }
      try require(isGS1 == ((try? GS1Link.check(String(bare))) != nil), "a fragment counts")
      let seen = try? Address(parsing: "\(link)")
      try require(seen.map { "\($0)" } == "\(link)", "a link is another when read again")
    }
    guard let association = try? SiteAssociation(parsing: file) else {
      try require(findings.contains { $0.severity == .error }, "refused without a finding")
      return
    }
    guard let link else { return }
    let matcher = Matcher(association)
    let claims = Set(matcher.matches(link).map(\.appID))
    for appID in association.appIDs {
      let outcome = matcher.verdict(link, for: appID).outcome
      try require(claims.contains(appID) == (outcome == .matched), "claims and verdicts disagree")
    }
    let check = LinkCheck(url: link.written, association: LinkCheck.Association(parsing: file))
    try require(check.wakesApp == (check.opens == .app), "wakes an app and opens something else")
  }
}
