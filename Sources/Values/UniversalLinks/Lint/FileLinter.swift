import JSON

/// Looks at the keys, the types and the app IDs of a file.
struct FileLinter {
  let association: SiteAssociation
  private(set) var findings: [Finding] = []

  init(_ association: SiteAssociation) {
    self.association = association
  }

  mutating func run() {
    let top = JSONPath()
    reportDuplicateKeys(association.document.root, top)
    let members = association.document.root.object ?? []
    reportUnknownKeys(members, top, .top)
    for member in members {
      switch member.name {
      case "applinks": lintAppLinks(member.value, top["applinks"])
      case "appclips", "webcredentials", "activitycontinuation":
        lintService(member.value, top[member.name])
      default: break
      }
    }
    if members.last(named: "applinks") == nil {
      // A file for passkeys or App Clips alone is right without them.
      let hasOthers = members.contains {
        ["appclips", "webcredentials", "activitycontinuation"].contains($0.name)
      }
      let finding = Finding(
        .noAppLinks, .json(top, association.document.root.position),
        """
        There is no "applinks" here. Only that part lets links open an app; the others are for App \
        Clips, passwords and Handoff.
        """)
      findings.append(hasOthers ? finding.beside : finding)
    }
  }

  mutating func report(
    _ code: Finding.Code, _ path: JSONPath, _ position: JSONPosition, _ message: String
  ) {
    findings.append(Finding(code, .json(path, position), message))
  }

  /// Reports `value` unless it is of the type that `is` finds; true when it is.
  mutating func expect<Value>(
    _ value: JSONValue, _ path: JSONPath, _ wanted: String, _ content: KeyPath<JSONValue, Value?>
  ) -> Value? {
    if let found = value[keyPath: content] { return found }
    report(
      .wrongType, path, value.position,
      "This is \(value.typeName); iOS wants \(wanted) here and leaves anything else out.")
    return nil
  }
}

// MARK: Keys

extension FileLinter {
  private mutating func reportDuplicateKeys(_ value: JSONValue, _ path: JSONPath) {
    switch value.content {
    case .array(let elements):
      for (index, element) in elements.enumerated() { reportDuplicateKeys(element, path[index]) }
    case .object(let members):
      var lines: [[UInt8]: Int] = [:]
      for member in members {
        if let line = lines[Array(member.name.utf8)] {
          report(
            .duplicateKey, path[member.name], member.namePosition,
            """
            The key \(JSONText.quoted(member.name)) stands in line \(line) already. JSON does not say \
            which of the two counts; here the last does. Keep one.
            """)
        }
        lines[Array(member.name.utf8)] = member.namePosition.line
        reportDuplicateKeys(member.value, path[member.name])
      }
    default: break
    }
  }

  mutating func reportUnknownKeys(_ members: [JSONMember], _ path: JSONPath, _ kind: KnownKeys) {
    for member in members where !kind.names.contains(member.name) {
      let name = JSONText.quoted(member.name)
      if let guess = kind.guess(for: member.name) {
        report(
          .misspeltKey, path[member.name], member.namePosition,
          """
          iOS knows no key \(name) in \(kind.rawValue) and acts as if it were not there. Write \
          \(JSONText.quoted(guess)).
          """)
      } else {
        report(
          .unknownKey, path[member.name], member.namePosition,
          """
          iOS knows no key \(name) in \(kind.rawValue) and ignores it. Known are \
          \(kind.names.map(JSONText.quoted).joined(separator: ", ")); remarks belong in the \
          "comment" of a component.
          """)
      }
    }
  }
}

// MARK: Parts of the file

extension FileLinter {
  private mutating func lintService(_ value: JSONValue, _ path: JSONPath) {
    guard let members = expect(value, path, "an object", \.object) else { return }
    reportUnknownKeys(members, path, .service)
    for member in members where member.name == "apps" {
      lintAppIDs(member.value, path["apps"])
    }
  }

  private mutating func lintAppLinks(_ value: JSONValue, _ path: JSONPath) {
    guard let members = expect(value, path, "an object", \.object) else { return }
    reportUnknownKeys(members, path, .applinks)
    for member in members {
      switch member.name {
      case "apps": lintApps(member.value, path["apps"])
      case "details": lintDetails(member.value, path["details"])
      case "defaults": lintComponentKeys(member.value, path["defaults"], .defaults)
      case "substitutionVariables": lintVariables(member.value, path["substitutionVariables"])
      default: break
      }
    }
    let hasOldPaths = association.entries.contains { $0.components.contains(where: \.isOldPath) }
    if hasOldPaths, members.last(named: "apps") == nil {
      report(
        .appsMissing, path, value.position,
        """
        The file uses "paths", which is for iOS 12 and earlier, and these want an empty "apps" too. \
        Add "apps": [], or write "components" instead of "paths".
        """)
    }
    let details = members.last(named: "details")
    if details == nil || details?.array?.isEmpty == true || details?.object?.isEmpty == true {
      report(
        .noDetails, details == nil ? path : path["details"], (details ?? value).position,
        "There are no \"details\" here, so no app opens any link of the domain. Add an entry.")
    }
  }

  private mutating func lintApps(_ value: JSONValue, _ path: JSONPath) {
    guard let apps = expect(value, path, "an empty array", \.array), !apps.isEmpty else { return }
    report(
      .appsNotEmpty, path, value.position,
      """
      "apps" under applinks must be an empty array, as Apple's archived guide says; the apps stand \
      in "details". Empty it, or leave it out when no "paths" are used.
      """)
  }

  private mutating func lintDetails(_ value: JSONValue, _ path: JSONPath) {
    switch value.content {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        guard let members = expect(element, path[index], "an object", \.object) else { continue }
        lintEntry(members, path[index], element.position, hasOwnAppIDs: true)
      }
    case .object(let apps):
      report(
        .detailsDictionary, path, value.position,
        """
        "details" is a dictionary here, the first form of iOS 9. It is still read; write an array \
        of entries with "appIDs" and "components".
        """)
      for app in apps {
        lintAppID(app.name, path[app.name], app.namePosition)
        guard let members = expect(app.value, path[app.name], "an object", \.object) else {
          continue
        }
        lintEntry(members, path[app.name], app.value.position, hasOwnAppIDs: false)
      }
    default: _ = expect(value, path, "an array of entries", \.array)
    }
  }

  private mutating func lintEntry(
    _ members: [JSONMember], _ path: JSONPath, _ position: JSONPosition, hasOwnAppIDs: Bool
  ) {
    reportUnknownKeys(members, path, .entry)
    var namesApp = !hasOwnAppIDs
    for member in members {
      let place = path[member.name]
      switch member.name {
      case "appID":
        guard let text = expect(member.value, place, "a string", \.string) else { continue }
        namesApp = true
        lintAppID(text, place, member.value.position)
      case "appIDs":
        namesApp = lintAppIDs(member.value, place) || namesApp
      case "components":
        for (index, element) in (expect(member.value, place, "an array", \.array) ?? [])
          .enumerated()
        {
          lintComponentKeys(element, place[index], .component)
        }
      case "paths":
        for (index, element) in (expect(member.value, place, "an array", \.array) ?? [])
          .enumerated()
        {
          _ = expect(element, place[index], "a string", \.string)
        }
      case "defaults": lintComponentKeys(member.value, place, .defaults)
      default: break
      }
    }
    if !namesApp {
      report(
        .appIDMissing, path, position,
        """
        This entry names no app, so its rules have no effect. Add "appIDs": ["PREFIX.bundle.id"].
        """)
    }
  }

  /// The types in a component, or in the defaults that stand for what a component lacks.
  private mutating func lintComponentKeys(
    _ value: JSONValue, _ path: JSONPath, _ kind: KnownKeys
  ) {
    guard let members = expect(value, path, "an object", \.object) else { return }
    reportUnknownKeys(members, path, kind)
    for member in members {
      let place = path[member.name]
      switch member.name {
      case "/", "#": _ = expect(member.value, place, "a string", \.string)
      case "exclude", "caseSensitive", "percentEncoded":
        _ = expect(member.value, place, "true or false", \.bool)
      case "?":
        guard let items = member.value.object else {
          if member.value.string == nil {
            _ = expect(member.value, place, "a string or an object", \.string)
          }
          continue
        }
        for item in items where item.value.string == nil {
          report(
            .queryValueNotString, place[item.name], item.value.position,
            """
            This is \(item.value.typeName). One value that is not a string makes iOS ignore the \
            whole "?" object, so the component matches every query. Put the value in quotes.
            """)
        }
      default: break
      }
    }
  }
}
