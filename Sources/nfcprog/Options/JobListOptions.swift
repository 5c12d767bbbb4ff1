import ArgumentParser
import BenchKit
import Provisioning
import RecordText

/// Where the jobs of a series come from, and what becomes of a row.
struct JobListOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A CSV file whose first line names its columns; - is standard input.", valueName: "jobs.csv"))
  var jobs: String?

  @Option(
    help: ArgumentHelp(
      "A file of codes, one per line, instead of a table; the field is {code}.", valueName: "file"))
  var codes: String?

  @Option(
    help: ArgumentHelp(
      "A range of numbers instead of a table; the field is {code}.", valueName: "first..last"))
  var range: String?

  @Option(help: ArgumentHelp("Number of digits in each number.", valueName: "n"))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "The URL of every tag, with fields: {COLUMN}, {uid}, {counter:6}, {date}.",
      discussion:
        "Without it and without other records, the column url is used. Other records may have fields, too.",
      valueName: "url"))
  var template: String?

  @OptionGroup(title: "Message") var records: RecordOptions

  /// With these, --android-app names the app that is to be woken, and makes no record.
  @OptionGroup(title: "Android app") var android: AssetLinksOptions

  @Option(
    help: ArgumentHelp(
      "Tag type for rows without one, such as ntag213.", valueName: "type"))
  var tag: String?

  func validate() throws {
    let sources = [jobs, codes, range].compactMap(\.self).count
    guard sources == 1 else {
      throw ValidationError(
        sources == 0
          ? "Give a list of jobs: a CSV file, --codes FILE or --range FIRST..LAST."
          : "Give one list of jobs: a CSV file, --codes or --range.")
    }
    guard width == nil || range != nil else { throw ValidationError("--width goes with --range.") }
  }

  /// Whether the list comes by standard input.
  var readsStandardInput: Bool { jobs == "-" || codes == "-" }

  /// The list's file; nil where it is none.
  private var path: String? { [jobs, codes].compactMap(\.self).first { $0 != "-" } }

  /// The list that is asked for. `arguments` tell the order of the records. Fails for a range that
  /// is none.
  func choice(locks: Bool, arguments: [String]) throws(BenchError) -> JobListChoice {
    var settings = JobSource.Settings()
    settings.message = message(arguments)
    settings.tagType = tag
    settings.locks = locks
    do throws(JobSourceError) {
      return JobListChoice(
        try input(), settings, description(locks: locks, arguments: arguments), path: path)
    } catch {
      throw BenchError(error)
    }
  }

  private func input() throws(JobSourceError) -> JobSource.Input {
    if let range { return .range(try CodeRange(parsing: range, width: width)) }
    return codes.map(JobSource.Input.codes) ?? .table(jobs ?? "-")
  }

  /// The records in the order of their options; nil where none is given.
  private func message(_ arguments: [String]) -> MessageTemplate? {
    var rest = Dictionary(uniqueKeysWithValues: records.values.map { ($0.rawValue, $1[...]) })
    if android.isGiven { rest[RecordOption.androidApp.rawValue] = nil }
    rest["template"] = [template].compactMap(\.self)[...]
    let names = RecordOrder.names(of: RecordOption.names.union(["template"]), in: arguments)
    let made = names.compactMap { name in
      rest[name]?.popFirst().map { text in
        MessageTemplate.Record(option: name == "template" ? "uri" : name, text: text)
      }
    }
    return made.isEmpty ? nil : MessageTemplate(records: made)
  }

  /// What the journal keeps of the list, so that it notices another one.
  private func description(locks: Bool, arguments: [String])
    -> SourceDescription
  {
    let (kind, name) =
      range.map { ("range", width.map { "\(range ?? "") in \($0) digits" } ?? $0) }
      ?? codes.map { ("codes", $0) } ?? ("csv", jobs ?? "-")
    var settings: [SourceDescription.Setting] = []
    for record in message(arguments)?.records ?? [] {
      settings.append(.init("record \(settings.count + 1)", "\(record.option) \(record.text)"))
    }
    if let tag { settings.append(.init("tag", tag)) }
    if locks { settings.append(.init("lock", "yes")) }
    return SourceDescription(kind: kind, name: name, settings: settings)
  }
}
