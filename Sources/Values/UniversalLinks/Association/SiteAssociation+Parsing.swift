import JSON

extension SiteAssociation {
  /// Reads a file. Throws when it is not JSON, or not an object.
  public init(parsing bytes: some Sequence<UInt8>) throws(UniversalLinksError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw .json(error)
    }
    try self.init(document)
  }

  /// Reads a document. Throws when it is not an object.
  package init(_ document: JSONDocument) throws(UniversalLinksError) {
    guard let top = document.root.object else { throw .notAnObject(document.root.typeName) }
    self.document = document
    let applinks = top.last(named: "applinks")
    let members = applinks?.object ?? []
    variables = SubstitutionVariables(
      Self.variables(members.last(named: "substitutionVariables")?.object ?? []))
    let defaults = members.last(named: "defaults")?.object ?? []
    entries = Self.entries(
      members.last(named: "details"), defaults: defaults,
      path: JSONPath()["applinks"]["details"])
    appClips = Self.apps(top, "appclips")
    webCredentials = Self.apps(top, "webcredentials")
    activityContinuation = Self.apps(top, "activitycontinuation")
  }

  private static func apps(_ top: [JSONMember], _ service: String) -> [String] {
    let apps = top.last(named: service)?.object?.last(named: "apps")?.array
    return (apps ?? []).compactMap(\.string)
  }

  private static func variables(_ members: [JSONMember]) -> [String: [String]] {
    var result: [String: [String]] = [:]
    for member in members {
      result[member.name] = member.value.array?.compactMap(\.string)
    }
    return result
  }

  /// `details` as the array of today or as the dictionary by app ID of iOS 9.
  private static func entries(_ details: JSONValue?, defaults: [JSONMember], path: JSONPath)
    -> [Entry]
  {
    switch details?.content {
    case .array(let elements):
      elements.enumerated().compactMap { index, element in
        guard let members = element.object else { return nil }
        return entry(
          members, appIDs: appIDs(members), defaults: defaults, path: path[index],
          position: element.position)
      }
    case .object(let apps):
      apps.compactMap { app in
        guard let members = app.value.object else { return nil }
        return entry(
          members, appIDs: [app.name], defaults: defaults, path: path[app.name],
          position: app.namePosition)
      }
    default: []
    }
  }

  private static func appIDs(_ members: [JSONMember]) -> [String] {
    let one = members.last(named: "appID")?.string.map { [$0] } ?? []
    let several = (members.last(named: "appIDs")?.array ?? []).compactMap(\.string)
    var seen: Set<String> = []
    return (one + several).filter { seen.insert($0).inserted }
  }

  private static func entry(
    _ members: [JSONMember], appIDs: [String], defaults: [JSONMember], path: JSONPath,
    position: JSONPosition
  ) -> Entry {
    var rules: [Component] = []
    // An entry that has `components` loses its `paths` on iOS 13 and later (WWDC20, 10098).
    if let components = members.last(named: "components") {
      let inherited = defaults + (members.last(named: "defaults")?.object ?? [])
      for (index, element) in (components.array ?? []).enumerated() {
        guard let own = element.object else { continue }
        rules.append(
          Component(
            inherited + own, comment: own.last(named: "comment")?.string,
            path: path["components"][index], position: element.position))
      }
    } else {
      for (index, element) in (members.last(named: "paths")?.array ?? []).enumerated() {
        guard let text = element.string else { continue }
        rules.append(
          Component(oldPath: text, path: path["paths"][index], position: element.position))
      }
    }
    return Entry(appIDs: appIDs, components: rules, path: path, position: position)
  }
}

extension Component {
  /// What `NOT ` in front of an old path means: the rest stays in the browser.
  static let exclusionPrefix = "NOT "

  /// `members`: the file's defaults, then the entry's, then the component's own, so that the last
  /// of a name is the one that counts.
  fileprivate init(
    _ members: [JSONMember], comment: String?, path: JSONPath, position: JSONPosition
  ) {
    pathPattern = members.last { $0.name == "/" }?.value.string
    fragmentPattern = members.last { $0.name == "#" }?.value.string
    query = members.last { $0.name == "?" }.flatMap { Self.query($0.value) }
    isExclusion = members.last { $0.name == "exclude" }?.value.bool ?? false
    isCaseSensitive = members.last { $0.name == "caseSensitive" }?.value.bool ?? true
    isPercentEncoded = members.last { $0.name == "percentEncoded" }?.value.bool ?? true
    self.comment = comment
    isOldPath = false
    self.path = path
    self.position = position
  }

  /// A dictionary with a value that is not a string asks for nothing at all.
  private static func query(_ value: JSONValue) -> Query? {
    switch value.content {
    case .string(let pattern): return .whole(pattern)
    case .object(let members):
      var items: [Item] = []
      var seen: Set<String> = []
      for member in members.reversed() {
        guard let pattern = member.value.string else { return nil }
        if seen.insert(member.name).inserted {
          items.append(Item(name: member.name, value: pattern))
        }
      }
      return .items(items.reversed())
    default: return nil
    }
  }

  /// Old paths look at the path alone, and `defaults`, documented for components only, are not for
  /// them.
  fileprivate init(oldPath text: String, path: JSONPath, position: JSONPosition) {
    isExclusion = text.hasPrefix(Self.exclusionPrefix)
    pathPattern = isExclusion ? String(text.dropFirst(Self.exclusionPrefix.count)) : text
    query = nil
    fragmentPattern = nil
    isCaseSensitive = true
    isPercentEncoded = true
    comment = nil
    isOldPath = true
    self.path = path
    self.position = position
  }
}
