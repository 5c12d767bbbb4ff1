import JobLists

extension JobListChoice {
  /// The rows of a CSV file, whose first line names the columns, or of a workbook (`.xlsx`), of
  /// which `sheet` is taken (nil: the first one that is not hidden); `-` is standard input.
  /// `records` make each job's message; without any, its URL is in the column `url`.
  ///
  /// The columns `tag`, `password` and `lock` say for their row what `tag`, `line.protection` and
  /// `locks` say for all: the type of tag (`ntag213`; nil: that of the first tag that is
  /// presented), and whether tags are made read-only. In a column `uid` each row names its tag,
  /// which `old-password` opens. `keyColumns` name the five with the keys 0 to 4 that an NTAG 424
  /// DNA gets, `oldKeyColumns` those that it has before, and `line.personalisation` has a key ring
  /// of these columns then. A list in a file has a mark beside it once it is on tags, so that it is
  /// not put on others by mistake.
  ///
  ///     var settings = ProvisioningSettings(
  ///       JobListChoice(csv: "jobs.csv", records: [.uri("https://example.com/t/{code}")]))
  ///     settings.journal = "jobs.csv.journal"
  ///     settings.extends = true   // rows that were added to the list since
  public init(
    csv path: String, sheet: String? = nil, records: [RecordTemplate] = [], tag: String? = nil,
    locks: Bool = false, keyColumns: [String] = [],
    oldKeyColumns: [String] = []
  ) {
    var settings = Self.settings(records, tag, locks)
    (settings.keyColumns, settings.oldKeyColumns) = (keyColumns, oldKeyColumns)
    self.init(
      .table(path, sheet: sheet), settings, SourceDescription(kind: "csv", name: path, settings),
      path: path == "-" ? nil : path)
  }

  /// A file with a code on each line; `-` is standard input. `{code}` in `records` stands for it.
  public init(
    codes path: String, records: [RecordTemplate], tag: String? = nil, locks: Bool = false
  ) {
    let settings = Self.settings(records, tag, locks)
    self.init(
      .codes(path), settings, SourceDescription(kind: "codes", name: path, settings),
      path: path == "-" ? nil : path)
  }

  private static func settings(
    _ records: [RecordTemplate], _ tag: String?, _ locks: Bool
  ) -> JobSource.Settings {
    var settings = JobSource.Settings()
    settings.message =
      records.isEmpty ? nil : MessageTemplate(records: records.map(\.record))
    (settings.tagType, settings.locks) = (tag, locks)
    return settings
  }
}
