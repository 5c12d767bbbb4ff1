import LibNFCReaders
import Provisioning
import Readers

/// The readers of a line, one for each `--reader`; with `--all-readers` each that is likely to be one.
enum LineReaders {
  /// `realtime`: simulated ones shall be as slow as real ones.
  static func choices(
    _ options: TagOptions, all: Bool, realtime: Bool
  ) throws(CommandFailure) -> [(name: String, choice: ReaderChoice)] {
    try choices(options, all: all).map { name, choice in
      guard realtime, case .simulated(var specs) = choice else { return (name, choice) }
      for index in specs.indices { specs[index].isRealtime = true }
      return (name, .simulated(specs))
    }
  }

  /// What people call the stations: as `--names` has it, else as the readers are called; nil without names.
  static func stationNames(
    _ given: [String], count: Int
  ) throws(CommandFailure) -> [String]? {
    guard !given.isEmpty else { return nil }
    let names = given.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
      String($0.drop { $0 == " " })
    }
    guard names.allSatisfy({ !$0.isEmpty }), Set(names).count == names.count else {
      throw CommandFailure(
        .usage, "--names gives each station a name of its own, such as left,right.")
    }
    guard names.count == count else {
      let readers = count == 1 ? "there is 1 reader" : "there are \(count) readers"
      throw CommandFailure(
        .usage, "--names gives \(names.count) name\(names.count == 1 ? "" : "s"), and \(readers).")
    }
    return names
  }

  private static func choices(
    _ options: TagOptions, all: Bool
  ) throws(CommandFailure) -> [(name: String, choice: ReaderChoice)] {
    if all {
      let found = Discovery().readers().filter(\.isLikely).map(\.connection)
      guard !found.isEmpty else { throw CommandFailure(.unavailable, "No reader was found.") }
      return try named(found, orElse: .unavailable)
    }
    if !options.readers.isEmpty { return try named(options.readers, orElse: .usage) }
    let choice = try ReaderChoice(options: options)
    return [(choice.name, choice)]
  }

  private static func named(
    _ names: [String], orElse status: ExitStatus
  ) throws(CommandFailure) -> [(name: String, choice: ReaderChoice)] {
    var result: [(name: String, choice: ReaderChoice)] = []
    var tags = 0
    for name in names {
      var choice = try ReaderChoice(name: name, orElse: status)
      if case .simulated(let specs) = choice {
        // Tags of different readers have different UIDs.
        choice = .simulated(specs.map { $0.shifted(by: tags) })
        tags += specs.map(\.tagCount).reduce(0, +)
      } else if result.contains(where: { $0.choice == choice }) {
        throw CommandFailure(.usage, "The reader \(name) is named twice.")
      }
      result.append((name, choice))
    }
    return result
  }
}

extension ReaderChoice {
  /// What people call it.
  var name: String {
    switch self {
    case .simulated(let specs): specs.count == 1 ? "simulated" : "simulated, \(specs.count) turns"
    case .connection(let connection): connection.text
    }
  }

  var isSimulated: Bool {
    if case .simulated = self { true } else { false }
  }
}

/// A reader of a line: open, and taken up again when it returns.
final class LineReader: StationReader, @unchecked Sendable {
  // Sendable by hand: one thread at a time uses it, as `StationReader` says.
  let name: String
  let source: ReaderSource

  var reader: TagReader { source.reader }

  init(
    _ name: String, _ choice: ReaderChoice, speed: LineSpeed, isVerbose: Bool, trace: Trace?
  ) throws(CommandFailure) {
    self.name = name
    source = try choice.open(speed: speed, isVerbose: isVerbose, trace: trace)
  }

  func reopen(shouldStop: () -> Bool) throws(ReaderError) {
    try source.takeUp(patience: nil, shouldStop: shouldStop)
  }
}
