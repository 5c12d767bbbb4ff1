import ArgumentParser

/// Where the jobs of a series come from: a table, codes, or a range of numbers.
struct JobSourceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A CSV file with a header line, or a workbook (.xlsx); - is standard input.",
      valueName: "jobs.csv"))
  var jobs: String?

  @Option(
    help: ArgumentHelp(
      "A file of codes, one per line, for {code}, in place of a table.", valueName: "file",
      visibility: .hidden))
  var codes: String?

  @Option(
    help: ArgumentHelp(
      "Numbers for {code}, such as 001..100.", valueName: "first..last"))
  var range: String?

  @Option(
    help: ArgumentHelp(
      "The sheet of a workbook (default: the first that is not hidden).", valueName: "name",
      visibility: .hidden))
  var sheet: String?

  @Flag(
    help: ArgumentHelp(
      "Take rows from standard input (-) as they arrive, until it ends; on a pool, those that others add, until the batch is closed.",
      visibility: .hidden))
  var follow = false

  @Option(
    help: ArgumentHelp(
      "The URL, with fields such as {COLUMN}, {code}, {uid}.",
      valueName: "url"))
  var template: String?

  @Option(
    help: ArgumentHelp(
      "The tag type, or any (default: that of the first tag).",
      valueName: "type"), completion: .tagTypes(and: ["any"]))
  var tag: String?

  /// The type of tag of rows without one; nil: none is named.
  var tagType: String? { mixesTypes ? nil : tag }

  /// Is true if rows without a type go to tags of all types.
  var mixesTypes: Bool { tag?.lowercased() == "any" }

  func validate() throws {
    let sources = [jobs, codes, range].compactMap(\.self).count
    guard sources <= 1 else {
      throw ValidationError("Give one list of jobs: a CSV file, --codes or --range.")
    }
    guard sheet == nil || jobs != nil else {
      throw ValidationError("--sheet names a sheet of a workbook, which is given like a CSV file.")
    }
  }

  /// Is true if a list is given.
  var isGiven: Bool { jobs != nil || codes != nil || range != nil }

  /// Is true if the list comes by standard input.
  var readsStandardInput: Bool { jobs == "-" || codes == "-" }

  /// The list's file; nil where there is none.
  var path: String? { [jobs, codes].compactMap(\.self).first { $0 != "-" } }
}
