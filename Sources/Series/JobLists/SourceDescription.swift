/// Where the jobs of a journal come from.
package struct SourceDescription: Hashable, Sendable {
  /// Something that shapes every job: the template, the type of tag, whether tags are locked. No
  /// secrets.
  package struct Setting: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// `csv`, `codes`, `range`.
  package let kind: String
  /// The file, or the range. A file may move: its name alone is no difference.
  package let name: String
  package let settings: [Setting]

  package init(kind: String, name: String, settings: [Setting] = []) {
    self.kind = kind
    self.name = name
    self.settings = settings
  }

  /// A list whose rows are made jobs of by `settings`; keys are none of them.
  package init(kind: String, name: String, _ settings: JobSource.Settings) {
    var list: [Setting] = []
    for record in settings.message?.records ?? [] {
      list.append(Setting("record \(list.count + 1)", "\(record.option) \(record.text)"))
    }
    if let tag = settings.tagType { list.append(Setting("tag", tag)) }
    if settings.locks { list.append(Setting("lock", "yes")) }
    self.init(kind: kind, name: name, settings: list)
  }

  /// What all tags of a series get besides their jobs, whatever their rows say: settings by these
  /// names.
  package enum Gift: String, Hashable, Sendable, CaseIterable {
    /// A password; which one is no setting.
    case password
    /// The password is needed to read the tag, too.
    case readPassword = "read-too"
    /// The configuration of tags with a mirror is frozen.
    case frozenMirror = "freeze-mirror"
  }

  package var given: Set<Gift> { Set(settings.compactMap { Gift(rawValue: $0.name) }) }

  /// Returns this description of a series whose tags all get this.
  package func giving(_ gifts: Set<Gift>) -> SourceDescription {
    let others = settings.filter { Gift(rawValue: $0.name) == nil }
    let all = Gift.allCases.filter(gifts.contains).map { Setting($0.rawValue, "yes") }
    return SourceDescription(kind: kind, name: name, settings: others + all)
  }

  /// What makes jobs of the list's rows: as `init(kind:name:_:)` was given it.
  package var jobSettings: JobSource.Settings {
    var (settings, records) = (JobSource.Settings(), [MessageTemplate.Record]())
    for setting in self.settings {
      switch setting.name {
      case "tag": settings.tagType = setting.value
      case "lock": settings.locks = true
      case TableDialect.settingName: break
      default:
        guard Gift(rawValue: setting.name) == nil else { continue }
        let parts = setting.value.split(
          separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        records.append(
          .init(option: String(parts[0]), text: parts.dropFirst().first.map(String.init) ?? ""))
      }
    }
    settings.message = records.isEmpty ? nil : MessageTemplate(records: records)
    return settings
  }
}
