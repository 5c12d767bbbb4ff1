import ArgumentParser
import Bench
import Bytes
import Line

/// The stations of a line, and when the line ends.
struct StationOptions: ParsableArguments {
  @Flag(help: "Use one station for every reader found.")
  var allReaders = false

  @Option(
    help: ArgumentHelp(
      "Names of the stations, in the order of the readers: left,right.", valueName: "names",
      visibility: .hidden))
  var names: [String] = []

  @Option(help: ArgumentHelp("End after this many good tags.", valueName: "n"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "End after this many tags that failed.", valueName: "n", visibility: .hidden))
  var stopAfterFailures: Int?

  @Option(
    help: ArgumentHelp(
      "Time that a result stays before the next tag is accepted (default: 2 with the live view, else 0).",
      valueName: "seconds", visibility: .hidden))
  var hold: Double?

  @Flag(help: ArgumentHelp("No bell.", visibility: .hidden))
  var silent = false

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count takes 1 or more.") }
    guard stopAfterFailures ?? 1 >= 1 else {
      throw ValidationError("--stop-after-failures takes 1 or more.")
    }
    guard hold ?? 0 >= 0, hold ?? 0 <= 60 else {
      throw ValidationError("--hold takes 0 to 60 seconds.")
    }
  }

  func requireOneChoice(_ options: TagOptions) throws(ValidationError) {
    guard !allReaders || options.readers.isEmpty else {
      throw ValidationError("Give --reader or --all-readers, not both.")
    }
  }

  /// The readers of a line, one for each `--reader`; with `--all-readers` each that is likely to be
  /// one.
  func readers(
    _ options: TagOptions, _ preferences: Preferences
  ) throws(BenchError) -> LineReaders {
    let aliases = preferences.readers
    var readers =
      if allReaders {
        try LineReaders(named: try ReaderChoice.likelyNames(), aliases: aliases)
      } else if !options.readers.isEmpty {
        try LineReaders(named: options.readers, aliases: aliases)
      } else {
        LineReaders(try ReaderChoice(options, preferences))
      }
    readers.stationNames = try Self.stationNames(names, count: readers.count)
    return readers
  }

  /// What people call the stations of `count` readers: as `--names` has it; nil without names.
  static func stationNames(_ given: [String], count: Int) throws(BenchError) -> [String]? {
    guard !given.isEmpty else { return nil }
    let names = given.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
      String($0.drop { $0 == " " })
    }
    guard names.allSatisfy({ !$0.isEmpty }), Set(names).count == names.count else {
      throw BenchError(
        .usage, "--names gives each station its own name, such as left,right.")
    }
    guard names.count == count else {
      let readers = count == 1 ? "there is 1 reader" : "there are \(count) readers"
      throw BenchError(
        .usage, "--names gives \(counted(names.count, "name")), but \(readers).")
    }
    return names
  }
}
