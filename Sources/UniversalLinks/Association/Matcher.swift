/// Decides links by a site association.
///
/// For one app, its entries are asked in the order of the file, and in each the components in
/// theirs; the first that matches decides (WWDC19, 717).
public struct Matcher: Sendable {
  public let association: SiteAssociation

  public init(_ association: SiteAssociation) {
    self.association = association
  }

  /// What the file says of `link` for `appID`. The host is not looked at: a file is for the host
  /// that it comes from.
  public func verdict(_ link: LinkURL, for appID: String) -> Verdict {
    let entries = association.entries.filter { $0.appIDs.contains(appID) }
    var steps: [Verdict.Step] = []
    func verdict(_ outcome: Verdict.Outcome) -> Verdict {
      Verdict(appID: appID, link: link, outcome: outcome, steps: steps)
    }
    guard !entries.isEmpty else { return verdict(.appNotListed) }
    for component in entries.flatMap(\.components) {
      let mismatch = mismatch(link, component)
      steps.append(Verdict.Step(component: component, mismatch: mismatch))
      if mismatch == nil { return verdict(component.isExclusion ? .excluded : .matched) }
    }
    return verdict(.unmatched)
  }

  /// Every app that opens `link`, with the rule that says so, in the order of the rules.
  public func claims(_ link: LinkURL) -> [Claim] {
    var decided: Set<String> = []
    var claims: [Claim] = []
    for entry in association.entries {
      let undecided = entry.appIDs.filter { !decided.contains($0) }
      guard !undecided.isEmpty,
        let rule = entry.components.first(where: { mismatch(link, $0) == nil })
      else { continue }
      decided.formUnion(undecided)
      if !rule.isExclusion { claims += undecided.map { Claim(appID: $0, component: rule) } }
    }
    return claims
  }

  /// An app that opens a link.
  public struct Claim: Hashable, Sendable {
    public let appID: String
    /// The rule that matches.
    public let component: Component
  }

  private func mismatch(_ link: LinkURL, _ component: Component) -> Mismatch? {
    do throws(UniversalLinksError) {
      return try CompiledComponent(component, variables: association.variables).mismatch(link)
    } catch {
      return .unusable(error)
    }
  }
}
