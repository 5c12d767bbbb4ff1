import Bench
import Provisioning
import Readers

/// The readers of a line, a station for each.
public struct LineReaders: Sendable {
  package private(set) var choices: [(name: String, choice: ReaderChoice)] = []
  /// People call the stations by these names; nil: by those of their readers.
  public var stationNames: [String]?
  /// The reader that only inspects what the stations have finished, and its name.
  package private(set) var inspector: (name: String, choice: ReaderChoice)?
  /// How readers are opened.
  public var settings = ReaderSession.Settings()

  package var count: Int { choices.count }

  /// One reader, by the name that it gives itself.
  public init(_ choice: ReaderChoice) { choices = [(choice.name, choice)] }

  /// A reader for each of `names`; `aliases` as with `ReaderChoice`. Fails as that does, and with
  /// `usage` for one named twice, and for none.
  public init(named names: [String], aliases: [String: String] = [:]) throws(BenchError) {
    guard !names.isEmpty else {
      throw BenchError(.usage, "A line has one reader at least, and none is named.")
    }
    var tags = 0
    for name in names {
      var choice = try ReaderChoice(named: name, aliases: aliases)
      if case .simulated(let specs) = choice.place {
        // Tags of different readers have different UIDs.
        choice.place = .simulated(specs.map { $0.shifted(by: tags) })
        tags += specs.map(\.tagCount).reduce(0, +)
      } else if choices.contains(where: { $0.choice == choice }) {
        throw BenchError(.usage, "The reader \(name) is named twice.")
      }
      choices.append((name, choice))
    }
  }

  /// Names the reader that only inspects; it is none of the stations'. Fails as with `named`.
  package mutating func inspect(
    on name: String, aliases: [String: String] = [:]
  ) throws(BenchError) {
    let choice = try ReaderChoice(named: name, aliases: aliases)
    guard choice.isSimulated || !choices.contains(where: { $0.choice == choice }) else {
      throw BenchError(.usage, "The reader \(name) is a station, so it cannot be the inspector.")
    }
    inspector = (name, choice)
  }

  /// Is true if none of them is a real one.
  package var areSimulated: Bool {
    choices.allSatisfy(\.choice.isSimulated) && inspector?.choice.isSimulated != false
  }

  /// Opens all of them, the inspector last; those that are open are closed where one cannot be.
  /// `advance` gets how many are open.
  func open(_ advance: (Int) -> Void) throws(BenchError) -> [LineReader] {
    var readers: [LineReader] = []
    for (name, choice) in choices + [inspector].compactMap(\.self) {
      do throws(BenchError) {
        readers.append(LineReader(name, try ReaderSession(opening: choice, settings)))
      } catch {
        for reader in readers { try? reader.session.close() }
        throw error
      }
      advance(readers.count)
    }
    return readers
  }
}

/// A reader of a line: open, and opened again when it returns.
final class LineReader: StationReader, @unchecked Sendable {
  // Sendable by hand: one thread at a time uses it, as `StationReader` says.
  let name: String
  let session: ReaderSession

  var reader: TagReader { session.reader }

  init(_ name: String, _ session: ReaderSession) { (self.name, self.session) = (name, session) }

  func reopen(shouldStop: () -> Bool) throws(ReaderError) {
    try session.reopen(patience: nil, shouldStop: shouldStop)
  }
}
