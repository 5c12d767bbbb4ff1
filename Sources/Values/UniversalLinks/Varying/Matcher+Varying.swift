import WebAddress

extension Matcher {
  /// Adds the patterns that decide for `appIDs`, for any app where none is named; `links`: the
  /// link in each sample of the message. False where what they look at cannot be told.
  func add(
    to exploration: inout Exploration<PatternScanner>, _ links: [Address], _ appIDs: [String]
  )
    -> Bool
  {
    for rule in rules(for: appIDs) {
      guard rule.add(to: &exploration, links) else { return false }
    }
    return true
  }
}

extension CompiledComponent {
  fileprivate func add(to exploration: inout Exploration<PatternScanner>, _ links: [Address])
    -> Bool
  {
    func add(_ pattern: Pattern?, _ part: (Address) -> String) -> Bool {
      guard let pattern else { return true }
      guard let scanner = PatternScanner(pattern) else { return false }
      exploration.add(scanner, links.map { part($0).unicodeScalars.map(\.value) })
      return true
    }
    func path(_ link: Address) -> String { Pattern.comparedPath(text(link.path)) }
    guard add(self.path, path), add(pathAfterSlash, path),
      add(fragment, { text($0.fragment ?? "") })
    else { return false }
    switch query {
    case nil: return true
    case .whole(let pattern): return add(pattern) { text($0.query ?? "") }
    case .items(let items):
      let given = links.map { link in
        link.queryItems.map { (name: text($0.name), value: text($0.value)) }
      }
      guard let names = given.first?.map(\.name), given.allSatisfy({ $0.map(\.name) == names })
      else { return false }
      for (name, pattern) in items {
        guard let scanner = PatternScanner(pattern) else { return false }
        for index in names.indices where isSameName(names[index], name) {
          exploration.add(
            scanner, given.map { $0[index].value.unicodeScalars.map(\.value) })
        }
      }
      return true
    }
  }
}
