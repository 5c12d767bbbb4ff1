import Bench
import JobLists
import Line
import RecordText

/// Where the jobs of a series come from, and what becomes of a row.
struct JobListOptions {
  var source: JobSourceOptions
  let records: RecordOptions

  /// Is true if the list comes by standard input.
  var readsStandardInput: Bool { source.readsStandardInput }

  /// Is true if it is said what becomes of a row.
  var hasSettings: Bool {
    source.template != nil || source.tagType != nil || records.values.contains { !$0.1.isEmpty }
  }

  /// The list that is asked for. `arguments` tell the order of the records. Fails for a range that
  /// is none.
  func choice(locks: Bool, arguments: [String]) throws(BenchError) -> JobListChoice {
    var settings = JobSource.Settings()
    settings.message = message(arguments)
    settings.tagType = source.tagType
    settings.locks = locks
    let (kind, name) = kind
    do throws(JobSourceError) {
      let input = try input()
      if case .range(let range) = input, range.numbers.count > 1,
        settings.message?.hasNoField == true
      {
        throw JobSourceError(
          .badInput,
          "The template has no field such as {code}, so all tags would be alike. To write one message on many tags: nfcprog clone --count \(range.numbers.count)."
        )
      }
      return JobListChoice(
        input, settings, SourceDescription(kind: kind, name: name, settings),
        path: source.path)
    } catch {
      throw BenchError(error)
    }
  }

  private func input() throws(JobSourceError) -> JobSource.Input {
    if let range = source.range {
      return .range(try CodeRange(parsing: range))
    }
    return source.codes.map(JobSource.Input.codes)
      ?? .table(source.jobs ?? "-", sheet: source.sheet)
  }

  /// The records in the order of their options; nil where none is given.
  private func message(_ arguments: [String]) -> MessageTemplate? {
    var rest = Dictionary(uniqueKeysWithValues: records.values.map { ($0.rawValue, $1[...]) })
    rest["template"] = [source.template].compactMap(\.self)[...]
    let names = RecordOrder.names(of: RecordOption.names.union(["template"]), in: arguments)
    let made = names.compactMap { name in
      rest[name]?.popFirst().map { text in
        MessageTemplate.Record(option: name == "template" ? "uri" : name, text: text)
      }
    }
    return made.isEmpty ? nil : MessageTemplate(records: made)
  }

  /// What the journal calls the list.
  private var kind: (String, name: String) {
    if let range = source.range { return ("range", range) }
    return source.codes.map { ("codes", $0) } ?? ("csv", source.jobs ?? "-")
  }
}
