import Bench
import TagMemory
import TagProgramming
import UniversalLinks

/// Commands on dumps in files.
extension CommandRun {
  /// Says of the dump at `path` what `info` says of a tag.
  func show(dump path: String, of product: Product?, counters: Bool) -> ExitStatus {
    do throws(BenchError) {
      guard options.readers.isEmpty else {
        throw BenchError(.usage, "--reader is for a tag; \(path) is a file. Give one of them.")
      }
      let dump = try TagDump(file: path).called(product, at: path)
      let report = TagReport(of: dump, counters: counters)
      let phone = BackgroundReading(report)
      if options.json {
        var object = TagJSON(command: command, report: report, asking: RemedyText.option)
        object.iphone = phone.map { PhoneJSON($0) }
        object.describe(dump, in: path)
        console.json(object)
      }
      TagText(console: console, phone: phone, isForReading: true).show(report)
      return .success
    } catch {
      return console.fail(command, error)
    }
  }

  /// Says where two memories differ.
  func compare(_ first: ComparedDump, _ second: ComparedDump) -> ExitStatus {
    let comparison = MemoryComparison(first.dump, second.dump)
    if options.json { console.json(DifferenceJSON(comparison, first, second)) }
    for line in DifferenceText.lines(comparison, first, second) { console.result(line) }
    return comparison.isEqual ? .success : .mismatch
  }
}
