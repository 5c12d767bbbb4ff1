import ArgumentParser
import BenchKit
import Provisioning
import RecordText

/// Where the jobs of a series come from, and what becomes of a row.
struct JobListOptions: ParsableArguments {
  @OptionGroup(title: "Jobs") var source: JobSourceOptions

  @OptionGroup(title: "Message") var records: RecordOptions

  /// With these, --android-app names the app that is to be woken, and makes no record.
  @OptionGroup(title: "Android app") var android: AssetLinksOptions

  /// Whether the list comes by standard input.
  var readsStandardInput: Bool { source.readsStandardInput }

  /// The list that is asked for. `arguments` tell the order of the records. Fails for a range that
  /// is none.
  func choice(locks: Bool, arguments: [String]) throws(BenchError) -> JobListChoice {
    var settings = JobSource.Settings()
    settings.message = message(arguments)
    settings.tagType = source.tag
    settings.locks = locks
    do throws(JobSourceError) {
      return JobListChoice(
        try input(), settings, description(locks: locks, arguments: arguments), path: source.path)
    } catch {
      throw BenchError(error)
    }
  }

  private func input() throws(JobSourceError) -> JobSource.Input {
    if let range = source.range {
      return .range(try CodeRange(parsing: range, width: source.width))
    }
    return source.codes.map(JobSource.Input.codes) ?? .table(source.jobs ?? "-")
  }

  /// The records in the order of their options; nil where none is given.
  private func message(_ arguments: [String]) -> MessageTemplate? {
    var rest = Dictionary(uniqueKeysWithValues: records.values.map { ($0.rawValue, $1[...]) })
    if android.isGiven { rest[RecordOption.androidApp.rawValue] = nil }
    rest["template"] = [source.template].compactMap(\.self)[...]
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
      source.range.map { range in
        ("range", source.width.map { "\(range) in \($0) digits" } ?? range)
      }
      ?? source.codes.map { ("codes", $0) } ?? ("csv", source.jobs ?? "-")
    var settings: [SourceDescription.Setting] = []
    for record in message(arguments)?.records ?? [] {
      settings.append(.init("record \(settings.count + 1)", "\(record.option) \(record.text)"))
    }
    if let tag = source.tag { settings.append(.init("tag", tag)) }
    if locks { settings.append(.init("lock", "yes")) }
    return SourceDescription(kind: kind, name: name, settings: settings)
  }
}
