import NDEF
import UniversalLinks

/// Messages of which a tag fills in a part as it is read.
extension AppLinkCheck {
  /// Checks a message: a yes or a no where it is one whatever the tag fills in, else it is not
  /// known. The rest as for a message that is known.
  package init(
    _ message: VaryingMessage, app: AndroidApp, assetLinks: Source, manifest: AppManifest? = nil,
    releases: [AndroidRelease]? = nil
  ) {
    func check(_ bytes: [UInt8]) -> AppLinkCheck {
      AppLinkCheck(
        try? Message(parsing: bytes), app: app, assetLinks: assetLinks, manifest: manifest,
        releases: releases)
    }
    guard !message.places.isEmpty else {
      self = check(message.bytes)
      return
    }
    let fillings = Self.representatives(of: message, assetLinks, manifest)
    let checks = (fillings ?? [message.places.map { _ in 0 }]).map { check(message.filled($0)) }
    let stored = check(message.bytes)
    let isSettled = fillings != nil && Set(checks.map { $0.versions.map(\.outcome) }).count == 1
    self.init(
      of: isSettled ? checks[0] : checks.first { !$0.wakesApp } ?? checks[0], as: stored,
      doubt: isSettled ? nil : Self.doubt(checks))
  }

  /// Is true if the answer is not known because it hangs on what a tag fills in.
  package var hangsOnTag: Bool { varies }

  private static func doubt(_ checks: [AppLinkCheck]) -> Finding {
    let yes = checks.first(where: \.wakesApp)?.uri
    let no = checks.first { !$0.wakesApp }?.uri
    let example =
      if let yes, let no { "\(yes) wakes the app, \(no) does not" } else {
        "not every one does the same"
      }
    return Finding(
      .linkVaries, .url,
      """
      The tag fills in a part of the link as it is read, and what Android does depends on that part: \(example). Make the \
      filters and rules match whatever the tag fills in.
      """)
  }

  /// Fillings of the message that stand for all; nil where these cannot be told.
  private static func representatives(
    of message: VaryingMessage, _ assetLinks: Source, _ manifest: AppManifest?
  ) -> [[Int]]? {
    let messages = message.samples.map { try? Message(parsing: $0) }
    let data = messages.map { $0?.records.first.map { IntentData($0) } ?? .none }
    let links = data.compactMap { data -> AndroidURI? in
      if case .uri(let link) = data { link } else { nil }
    }
    var exploration = Exploration<PathScanner>(message) { UInt16($0) }
    guard !links.isEmpty else { return Set(data).count == 1 ? exploration.representatives() : nil }
    let sites = Set(links.map { [$0.scheme, $0.host, $0.port] })
    guard links.count == messages.count, sites.count == 1 else { return nil }
    var rules: [DynamicRule] = []
    if case .file(let file, _, _) = assetLinks {
      rules = file.statements.flatMap { $0.rules ?? [] }
    }
    let looks =
      (manifest?.activities.flatMap(\.filters).flatMap(\.looks) ?? []) + rules.flatMap(\.looks)
    for look in looks {
      let texts = links.map(look.texts)
      guard Set(texts.map(\.count)).count == 1 else { return nil }
      for index in texts[0].indices {
        let units = texts.map { Array($0[index].utf16) }
        guard let scanner = PathScanner(look.matcher, length: units[0].count) else { continue }
        exploration.add(scanner, units)
      }
    }
    return exploration.representatives()
  }
}

/// A pattern, and the parts of a link that it looks at.
struct Look {
  let matcher: PathMatcher
  let texts: (AndroidURI) -> [String]
}

extension IntentFilter {
  /// All that it looks at behind the host.
  fileprivate var looks: [Look] {
    paths.map { Look(matcher: $0) { [$0.path] } }
      + specificParts.map { Look(matcher: $0) { [$0.schemeSpecificPart] } }
      + groups.flatMap(\.looks)
  }
}
