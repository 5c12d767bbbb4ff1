import ArgumentParser

/// Where the jobs of a series come from: a table, codes, or a range of numbers.
struct JobSourceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A CSV file whose first line names its columns; - is standard input. Not needed for a batch that a hub has made in a database.",
      valueName: "jobs.csv"))
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

  @Flag(
    help:
      "Take rows from standard input (-) as they arrive, until it ends; on a pool, those that others add, until the batch is closed."
  )
  var follow = false

  @Option(
    help: ArgumentHelp(
      "The URL of every tag, with fields: {COLUMN}, {uid}, {counter:6}, {date}.",
      discussion:
        "Without it and without other records, the column url is used. Other records may have fields, too.",
      valueName: "url"))
  var template: String?

  @Option(
    help: ArgumentHelp(
      "Tag type for rows without one, such as ntag213; any mixes types (default: the type of the first tag of the run).",
      valueName: "type"))
  var tag: String?

  /// The type of tag of rows without one; nil: none is named.
  var tagType: String? { mixesTypes ? nil : tag }

  /// Whether rows without a type go to tags of all types.
  var mixesTypes: Bool { tag?.lowercased() == "any" }

  func validate() throws {
    let sources = [jobs, codes, range].compactMap(\.self).count
    guard sources <= 1 else {
      throw ValidationError("Give one list of jobs: a CSV file, --codes or --range.")
    }
    guard width == nil || range != nil else { throw ValidationError("--width goes with --range.") }
  }

  /// Whether a list is given.
  var isGiven: Bool { jobs != nil || codes != nil || range != nil }

  /// Whether the list comes by standard input.
  var readsStandardInput: Bool { jobs == "-" || codes == "-" }

  /// The list's file; nil where there is none.
  var path: String? { [jobs, codes].compactMap(\.self).first { $0 != "-" } }
}
