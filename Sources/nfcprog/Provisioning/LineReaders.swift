import BenchKit
import Provisioning
import Readers

/// The readers of a line, one for each `--reader`; with `--all-readers` each that is likely to be one.
enum LineReaders {
  /// `realtime`: simulated ones shall be as slow as real ones.
  static func choices(
    _ options: TagOptions, all: Bool, realtime: Bool
  ) throws(BenchError) -> [(name: String, choice: ReaderChoice)] {
    try choices(options, all: all).map { ($0.name, realtime ? $0.choice.realtime : $0.choice) }
  }

  /// What people call the stations: as `--names` has it, else as the readers are called; nil without names.
  static func stationNames(
    _ given: [String], count: Int
  ) throws(BenchError) -> [String]? {
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
        .usage, "--names gives \(names.count) name\(names.count == 1 ? "" : "s"), and \(readers).")
    }
    return names
  }

  private static func choices(
    _ options: TagOptions, all: Bool
  ) throws(BenchError) -> [(name: String, choice: ReaderChoice)] {
    if all { return try named(ReaderChoice.likelyNames()) }
    if !options.readers.isEmpty { return try named(options.readers) }
    let choice = try ReaderChoice(options: options)
    return [(choice.name, choice)]
  }

  private static func named(
    _ names: [String]
  ) throws(BenchError) -> [(name: String, choice: ReaderChoice)] {
    var result: [(name: String, choice: ReaderChoice)] = []
    var tags = 0
    for name in names {
      var choice = try ReaderChoice(named: name, aliases: Preferences.current.readers)
      if case .simulated(let specs) = choice.place {
        // Tags of different readers have different UIDs.
        choice = ReaderChoice(simulated: specs.map { $0.shifted(by: tags) })
        tags += specs.map(\.tagCount).reduce(0, +)
      } else if result.contains(where: { $0.choice == choice }) {
        throw BenchError(.usage, "The reader \(name) is named twice.")
      }
      result.append((name, choice))
    }
    return result
  }
}

/// A reader of a line: open, and taken up again when it returns.
final class LineReader: StationReader, @unchecked Sendable {
  // Sendable by hand: one thread at a time uses it, as `StationReader` says.
  let name: String
  let source: ReaderSession

  var reader: TagReader { source.reader }

  init(
    _ name: String, _ choice: ReaderChoice, _ settings: ReaderSession.Settings
  ) throws(BenchError) {
    self.name = name
    source = try ReaderSession(opening: choice, settings)
  }

  func reopen(shouldStop: () -> Bool) throws(ReaderError) {
    try source.reopen(patience: nil, shouldStop: shouldStop)
  }
}
