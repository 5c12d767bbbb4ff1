extension SourceDescription {
  /// How the list's table is written.
  package var dialect: TableDialect {
    settings.first { $0.name == TableDialect.settingName }.map { TableDialect(setting: $0.value) }
      ?? .plain
  }

  /// The settings that somebody gave; how the list is written is none.
  package var givenSettings: [Setting] { written(in: .plain).settings }

  /// Returns this description of a list that is written in `dialect`.
  package func written(in dialect: TableDialect) -> SourceDescription {
    let others = settings.filter { $0.name != TableDialect.settingName }
    return SourceDescription(
      kind: kind, name: name, settings: others + [setting(of: dialect)].compactMap(\.self))
  }

  /// Nil for a plain table.
  private func setting(of dialect: TableDialect) -> Setting? {
    dialect == .plain ? nil : Setting(TableDialect.settingName, dialect.words)
  }

  /// The settings `[["name","value"],…]`, as a store has them, without the dialect: by the rest two
  /// lists are told from each other.
  package static func withoutDialect(_ stored: String) -> String {
    // It stands at the end, and no other text has such quotes unescaped.
    guard let found = stored.ranges(of: "[\"\(TableDialect.settingName)\",").last else {
      return stored
    }
    let others = stored[..<found.lowerBound]
    return (others.last == "," ? others.dropLast() : others) + "]"
  }
}
