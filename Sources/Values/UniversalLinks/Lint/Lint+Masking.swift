import JSON

extension Lint {
  /// How many characters of patterns are kept for comparison with later ones.
  private static let characterLimit = 1_000_000

  /// The rules that no link reaches, since an earlier rule takes every link that they match.
  ///
  /// A rule counts as masked when it is for each of its apps. What is reported is proven; not
  /// everything that is masked is found, nor what several rules mask together. A file of the
  /// permitted size can ask for far more comparisons than anybody waits for, so their cost is
  /// bounded; its unit is about half a microsecond.
  static func masked(in association: SiteAssociation, costLimit: Int = 5_000_000) -> [Finding] {
    var rules: [CompiledComponent] = []
    // Places in `rules`, since many apps may share an entry.
    var earlier: [String: [Int]] = [:]
    var findings: [Finding] = []
    var (cost, characters) = (0, 0)
    for entry in association.entries {
      for component in entry.components {
        guard
          let compiled = try? CompiledComponent(
            component, variables: association.variables, isCompared: true)
        else { continue }
        var masks: [CompiledComponent] = []
        cost += 10 * entry.appIDs.count
        characters += compiled.size
        guard characters <= characterLimit else { return findings + [notChecked(component)] }
        for appID in entry.appIDs {
          let candidates = earlier[appID] ?? []
          var mask: CompiledComponent?
          for candidate in candidates.lazy.map({ rules[$0] }) where mask == nil {
            cost += 10 + candidate.size * compiled.size / 64
            guard cost <= costLimit else { return findings + [notChecked(component)] }
            if candidate.covers(compiled) { mask = candidate }
          }
          guard let mask else { break }
          masks.append(mask)
        }
        if let mask = masks.first, masks.count == entry.appIDs.count {
          findings.append(finding(component, maskedBy: mask.component))
        } else {
          for appID in entry.appIDs { earlier[appID, default: []].append(rules.count) }
          rules.append(compiled)
        }
      }
    }
    return findings
  }

  private static func finding(_ component: Component, maskedBy mask: Component) -> Finding {
    let place = Finding.Place.json(component.path, component.position)
    let other = "\(mask.path) (line \(mask.position.line))"
    if component.isSameRule(as: mask) {
      return Finding(
        .duplicateComponent, place, "This is the same rule as \(other). Remove one.")
    }
    guard component.isExclusion != mask.isExclusion else {
      return Finding(
        .redundantComponent, place,
        "Every link that matches here matches \(other) first, to the same effect. Remove one.")
    }
    if case .items(let items) = mask.query, !items.isEmpty,
      items.allSatisfy({ $0.value.allSatisfy { $0 == "*" } })
    {
      let names = items.map { JSONText.quoted($0.name) }.joined(separator: " and ")
      return Finding(
        .maskedComponent, place,
        """
        Every link that matches here matches \(other) first, which \
        \(mask.isExclusion ? "excludes it" : "opens the app"): there, "*" for \(names) also matches links without such a \
        parameter. Write "?*" in its place, which wants at least one character.
        """)
    }
    return Finding(
      .maskedComponent, place,
      """
      Every link that matches here matches \(other) first, which \
      \(mask.isExclusion ? "excludes it" : "opens the app"). The first match decides: put this \
      rule in front of that one.
      """)
  }

  private static func notChecked(_ component: Component) -> Finding {
    Finding(
      .maskingNotChecked, .json(component.path, component.position),
      """
      There are too many rules to compare each with all before it: from here on, rules were not \
      checked for others that hide them.
      """)
  }
}

extension Component {
  /// Returns whether two rules differ in nothing but place and comment.
  fileprivate func isSameRule(as other: Component) -> Bool {
    pathPattern == other.pathPattern && query == other.query
      && fragmentPattern == other.fragmentPattern && isExclusion == other.isExclusion
      && isCaseSensitive == other.isCaseSensitive && isPercentEncoded == other.isPercentEncoded
  }
}
