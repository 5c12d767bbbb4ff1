import JobLists
import LedgerSQLite

extension Report {
  /// The settings of the series, by name: what shaped every tag.
  package var settings: [SourceDescription.Setting] {
    var settings: [SourceDescription.Setting] = []
    func add(_ name: String, _ value: String?) {
      if let value { settings.append(.init(name, value)) }
    }
    add("List", source.map { "\($0.name) (\($0.kind)), \(Self.number(tally.jobs, "job"))" })
    add("List taken up", adopted.map { "\($0.reportSecond) \(ReportTime.zone)" })
    add("Rows of the list, SHA-256", listDigest)
    if !columns.isEmpty { add("Columns", columns.joined(separator: ", ")) }
    let given = source?.settings ?? []
    for setting in given where setting.name.hasPrefix("record") {
      add("Template, \(setting.name)", setting.value)
    }
    if source != nil, !given.contains(where: { $0.name.hasPrefix("record") }) {
      let image = columns.first { $0.lowercased() == "image" }
      add("Template", image.map { "the files of the column \($0)" } ?? "the column url")
    }
    let others = given.filter { !$0.name.hasPrefix("record") }
    if source != nil {
      add(
        "Tag",
        others.first { $0.name == "tag" }?.value
          ?? "that of a run's first tag, or any; or as the row says")
      add("Lock", others.first { $0.name == "lock" }?.value ?? "no, or as the row says")
      add("Password", others.first { $0.name == "password" }?.value ?? "no, or as the row says")
    }
    for setting in others where !["tag", "lock", "password"].contains(setting.name) {
      add(setting.name == TableDialect.settingName ? "Table" : setting.name, setting.value)
    }
    add("Tags by type", typeText)
    add("Tags locked", "\(Self.number(locked)) of \(Self.number(tally.written))")
    add("Tags with a password", "\(Self.number(protected)) of \(Self.number(tally.written))")
    for ring in keys { add("Keys of \(Self.number(ring.tags, "tag"))", "\(ring.identity)") }
    if !inspections.isEmpty { add("Inspections", inspectionText) }
    if let labelSetting { add("Labels", labelSetting) }
    let versions = sessions.reduce(into: [String]()) {
      if !$0.contains($1.version) { $0.append($1.version) }
    }
    if !versions.isEmpty { add("Program", "nfcprog " + versions.joined(separator: ", ")) }
    return settings
  }
}
