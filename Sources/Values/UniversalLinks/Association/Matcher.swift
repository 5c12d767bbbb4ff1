import WebAddress

/// Decides links by a site association.
///
/// For one app, its entries are asked in the order of the file, and in each the components in
/// theirs; the first that matches decides (WWDC19, 717). The file's patterns are compiled once, for
/// all links.
package struct Matcher: Sendable {
  package let association: SiteAssociation
  private let entries: [(appIDs: [String], rules: [Rule])]

  private struct Rule {
    let component: Component
    let compiled: Result<CompiledComponent, UniversalLinksError>

    func mismatch(_ parts: LinkTexts) -> Mismatch? {
      switch compiled {
      case .success(let compiled): compiled.mismatch(parts)
      case .failure(let error): .unusable(error)
      }
    }
  }

  package init(_ association: SiteAssociation) { self.init(association, wildcardTakesSlash: false) }

  /// The file read in every other way that what Apple does not document allows: so that the first
  /// character of a pattern such as `*/terms/*` may stand for the slash that every path begins
  /// with, among others. Each with what it takes for granted; none where nothing is in doubt.
  var otherReadings: [(matcher: Matcher, doubts: [Undocumented])] {
    let files = [(file: association, doubts: [Undocumented]())] + association.otherReadings
    let hasWildcard = association.entries.flatMap(\.components).contains {
      $0.pathPattern.map(Pattern.beginsWithWildcardAndSlash) ?? false
    }
    let plain = files.dropFirst().map { (Matcher($0.file), $0.doubts) }
    guard hasWildcard else { return plain }
    return plain
      + files.map { reading in
        (
          Matcher(reading.file, wildcardTakesSlash: true),
          reading.doubts + [.wildcardBeforeSlash]
        )
      }
  }

  /// The rules that decide for `appIDs`, for any app where none is named; without those that can
  /// never match.
  func rules(for appIDs: [String]) -> [CompiledComponent] {
    entries.filter { appIDs.isEmpty || !Set(appIDs).isDisjoint(with: $0.appIDs) }
      .flatMap(\.rules).compactMap { try? $0.compiled.get() }
  }

  private init(_ association: SiteAssociation, wildcardTakesSlash: Bool) {
    self.association = association
    entries = association.entries.map { entry in
      let rules = entry.components.map { component in
        Rule(
          component: component,
          compiled: Result { () throws(UniversalLinksError) in
            try CompiledComponent(
              component, variables: association.variables, wildcardTakesSlash: wildcardTakesSlash)
          })
      }
      return (entry.appIDs, rules)
    }
  }

  /// Returns what the file says of `link` for `appID`. The host is not looked at: a file is for the
  /// host that it comes from.
  package func verdict(_ link: Address, for appID: String) -> Verdict {
    let entries = entries.filter { $0.appIDs.contains(appID) }
    var steps: [Verdict.Step] = []
    func verdict(_ outcome: Verdict.Outcome) -> Verdict {
      Verdict(appID: appID, link: link, outcome: outcome, steps: steps)
    }
    guard !entries.isEmpty else { return verdict(.appNotListed) }
    let parts = LinkTexts(link)
    for rule in entries.flatMap(\.rules) {
      let mismatch = rule.mismatch(parts)
      steps.append(Verdict.Step(component: rule.component, mismatch: mismatch))
      if mismatch == nil { return verdict(rule.component.isExclusion ? .excluded : .matched) }
    }
    return verdict(.unmatched)
  }

  /// Every app that opens `link`, with the rule that says so, in the order of the rules.
  package func matches(_ link: Address) -> [Match] {
    var decided: Set<String> = []
    var matches: [Match] = []
    let parts = LinkTexts(link)
    for entry in entries {
      let undecided = entry.appIDs.filter { !decided.contains($0) }
      guard !undecided.isEmpty,
        let rule = entry.rules.first(where: { $0.mismatch(parts) == nil })?.component
      else { continue }
      decided.formUnion(undecided)
      if !rule.isExclusion { matches += undecided.map { Match(appID: $0, component: rule) } }
    }
    return matches
  }

  /// An app that opens a link.
  package struct Match: Hashable, Sendable {
    package let appID: String
    /// The rule that matches.
    package let component: Component
  }
}
