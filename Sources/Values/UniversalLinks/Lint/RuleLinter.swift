import JSON

/// Looks at the rules of a file: their patterns, and the entries that they stand in.
struct RuleLinter {
  let association: SiteAssociation

  init(_ association: SiteAssociation) {
    self.association = association
  }

  func findings() -> [Finding] {
    var findings: [Finding] = []
    var places: [String: JSONPath] = [:]
    let details = association.document.root.object?.last(named: "applinks")?.object?
      .last(named: "details")
    for entry in association.entries {
      let members = members(of: entry, in: details)
      findings += lint(entry, members)
      for appID in entry.appIDs {
        if let earlier = places[appID] {
          findings.append(
            Finding(
              .appInSeveralEntries, .json(entry.path, entry.position),
              """
              \(appID) has rules in \(earlier) already. Only Apple's talks say that entries are read \
              one after the other: put all rules of an app into one entry.
              """))
        } else {
          places[appID] = entry.path
        }
      }
      for component in entry.components {
        findings += lint(component, own: members.own(component))
      }
    }
    return findings
  }

  /// The names in `$(…)` of all patterns.
  var usedVariables: Set<String> {
    var names: Set<String> = []
    for component in association.entries.flatMap(\.components) {
      for (text, _, _) in component.patterns {
        for case .variable(let name) in PatternPiece.pieces(of: text) { names.insert(name) }
      }
    }
    return names
  }

  private func members(of entry: SiteAssociation.Entry, in details: JSONValue?) -> [JSONMember] {
    switch entry.path.steps.last {
    case .element(let index): details?.array?[index].object ?? []
    case .member(let name): details?.object?.last(named: name)?.object ?? []
    case nil: []
    }
  }
}

extension [JSONMember] {
  /// The members that `component` has itself, without its defaults; these are of its entry.
  fileprivate func own(_ component: Component) -> [JSONMember] {
    guard case .element(let index) = component.path.steps.last, !component.isOldPath else {
      return []
    }
    return last(named: "components")?.array?[index].object ?? []
  }

  /// Where the pattern at `path` stands; these are the component's own members. A pattern that is
  /// from the defaults counts as the component's.
  fileprivate func place(of path: JSONPath, in component: Component) -> Finding.Place {
    var value: JSONValue?
    for case .member(let name) in path.steps.dropFirst(component.path.steps.count) {
      value = (value.map { $0.object ?? [] } ?? self).last(named: name)
      guard value != nil else { break }
    }
    return value.map { .json(path, $0.position) } ?? .json(component.path, component.position)
  }
}

// MARK: Entries

extension RuleLinter {
  private func lint(_ entry: SiteAssociation.Entry, _ members: [JSONMember]) -> [Finding] {
    var findings: [Finding] = []
    let place = Finding.Place.json(entry.path, entry.position)
    let paths = members.last(named: "paths")
    if let paths, members.last(named: "components") != nil {
      findings.append(
        Finding(
          .pathsIgnored, .json(entry.path["paths"], paths.position),
          """
          The entry has "components", so iOS 13 and later do not read its "paths". Keep them only \
          for iOS 12 and earlier, with the same rules.
          """))
    } else if let defaults = members.last(named: "defaults"), paths != nil {
      findings.append(
        Finding(
          .defaultsWithPaths, .json(entry.path["defaults"], defaults.position),
          """
          Whether "defaults" reach old "paths" is not documented; here they do not. Write \
          "components".
          """))
    }
    findings += mixedForms(entry, members)
    if entry.components.isEmpty {
      findings.append(
        Finding(
          .noRules, place,
          """
          The entry has no rule, so it lets no link open its app. Add "components": \
          [{ "/": "/path/*" }].
          """))
    } else if entry.components.allSatisfy(\.isExclusion), !opensElsewhere(entry.appIDs) {
      findings.append(
        Finding(
          .onlyExclusions, place,
          """
          Every rule of the entry excludes, so it lets no link open its app. What is neither \
          excluded nor named stays in the browser: add a rule that names the links.
          """))
    }
    return findings
  }

  /// The old form is `appID` with `paths`, the new one `appIDs` with `components` (TN3155).
  private func mixedForms(
    _ entry: SiteAssociation.Entry, _ members: [JSONMember]
  ) -> [Finding] {
    func mixed(_ apps: String, _ rules: String, _ better: String) -> [Finding] {
      guard let value = members.last(named: rules), members.last(named: apps) != nil else {
        return []
      }
      return [
        Finding(
          .mixedForms, .json(entry.path[rules], value.position),
          """
          The entry mixes two forms, \(JSONText.quoted(apps)) with \(JSONText.quoted(rules)). Apple asks \
          for one of them: write \(better).
          """)
      ]
    }
    let isNew = members.last(named: "components") != nil
    // A file for old and new systems at once: `paths-ignored` says so.
    if isNew, members.last(named: "paths") != nil { return [] }
    if members.last(named: "appIDs") != nil {
      return isNew ? [] : mixed("appIDs", "paths", #""components" in place of "paths""#)
    }
    return mixed("appID", "components", #""appIDs": [ … ] in place of "appID""#)
  }

  /// Returns whether each of `appIDs` has a rule in the file that opens it.
  private func opensElsewhere(_ appIDs: [String]) -> Bool {
    let opening = association.entries.filter { !$0.components.allSatisfy(\.isExclusion) }
    let opened = Set(opening.flatMap(\.appIDs))
    return !appIDs.isEmpty && appIDs.allSatisfy(opened.contains)
  }
}

// MARK: Components

extension Component {
  enum PatternKind { case path, query, queryItem, fragment }

  /// Its patterns, what each is for, and its place.
  var patterns: [(text: String, kind: PatternKind, path: JSONPath)] {
    var result: [(String, PatternKind, JSONPath)] = []
    if let pathPattern { result.append((pathPattern, .path, isOldPath ? path : path["/"])) }
    switch query {
    case .whole(let text): result.append((text, .query, path["?"]))
    case .items(let items):
      result += items.map { ($0.value, .queryItem, path["?"][$0.name]) }
    case nil: break
    }
    if let fragmentPattern { result.append((fragmentPattern, .fragment, path["#"])) }
    return result
  }
}

extension RuleLinter {
  private func lint(_ component: Component, own: [JSONMember]) -> [Finding] {
    var findings: [Finding] = []
    func report(_ code: Finding.Code, _ path: JSONPath, _ message: String) {
      findings.append(Finding(code, .json(path, component.position), message))
    }
    if component.isOldPath {
      let misspelt = lintOldPath(component)
      if !misspelt.isEmpty { return misspelt }
    } else if component.patterns.isEmpty {
      let strays = own.map(\.name).filter { !KnownKeys.component.names.contains($0) }
      let verb = component.isExclusion ? "excludes" : "matches"
      if strays.isEmpty, !own.contains(where: { ["/", "?", "#"].contains($0.name) }) {
        report(
          .emptyComponent, component.path,
          """
          The component has no "/", "?" or "#" and so \(verb) every link; rules behind it are never \
          reached. If that is meant, { "/": "*" } says so.
          """)
      } else {
        report(
          .catchAllComponent, component.path,
          """
          iOS can use no key of this component, so it \(verb) every link and rules behind it are \
          never reached. Write the pattern as "/": "/path/*".
          """)
      }
    }
    for (text, kind, path) in component.patterns {
      findings += PatternLinter(
        text: text, kind: kind, place: own.place(of: path, in: component), component: component,
        variables: association.variables
      ).findings()
    }
    return findings
  }

  private func lintOldPath(_ component: Component) -> [Finding] {
    guard let text = component.pathPattern else { return [] }
    let start = text.drop { $0 == " " }
    let isMisspelt =
      start.prefix(3).uppercased() == "NOT" && !component.isExclusion
      && (start.count == 3 || start.dropFirst(3).first.map { " /\t:*".contains($0) } ?? false)
    let hasMoreSpace = component.isExclusion && text.hasPrefix(" ")
    guard isMisspelt || hasMoreSpace else { return [] }
    return [
      Finding(
        .notMisspelt, .json(component.path, component.position),
        """
        An old path is excluded by NOT in upper case, one space, and the path. iOS reads \
        \(JSONText.quoted(text)) as a path that no link has, so nothing is excluded. Write \
        "NOT /path".
        """)
    ]
  }
}
