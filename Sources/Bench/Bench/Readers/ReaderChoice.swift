import LibNFCReaders
import PN532
import PN532Simulator
import Readers

/// Which reader to work on.
///
/// try ReaderChoice(named: "sim:ntag213") a simulated board with a virtual NTAG213
///     try ReaderChoice(named: "pn532_uart:/dev/ttyUSB0")      a libnfc connection string
///     try ReaderChoice(named: "/dev/ttyUSB0")                 the same
///     try ReaderChoice(named: "usb:1-2")                      whatever is in a USB socket
///     try ReaderChoice.only()                                 the only one that is plugged in
public struct ReaderChoice: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Tags that are presented one after another to a simulated board.
    case simulated([SimulatedTagSpec])
    /// A board that answers as one did in a trace.
    case replayed(ReplayedTrace)
    case connection(ConnectionString)
  }

  package var place: Place
  /// The text that a simulated reader was named by; nil where there was none.
  package var simulation: String?

  /// Simulated tags, presented one after another.
  package init(simulated specs: [SimulatedTagSpec]) { place = .simulated(specs) }

  /// A board that answers as one did in a trace.
  package init(replaying trace: ReplayedTrace) { place = .replayed(trace) }

  /// The reader called `name`; `aliases` gives names of a person's own, and what each stands for.
  ///
  /// Fails with `usage` for a name that names no reader, with `configuration` where an alias stands
  /// for none, and with `unavailable` where the device is not plugged in.
  public init(named name: String, aliases: [String: String] = [:]) throws(BenchError) {
    if let place = aliases[name] {
      do throws(BenchError) {
        try self.init(place: place, name: name)
      } catch {
        throw error.blaming(.configuration)
      }
    } else {
      try self.init(place: name, name: name)
    }
  }

  private init(place: String, name: String) throws(BenchError) {
    if place.hasPrefix(ReplayedTrace.prefix) {
      self.place = .replayed(try ReplayedTrace(parsing: place))
      simulation = place
      return
    }
    if place.hasPrefix("sim:") {
      do {
        self.place = .simulated(try SimulatedTagSpec.turns(parsing: place))
        simulation = place
      } catch {
        throw BenchError(.usage, sentence(error.description))
      }
      return
    }
    do {
      self.place = .connection(try Discovery().connection(named: place, calling: name))
    } catch {
      let isAbsent = Discovery.isIdentity(place)
      throw BenchError(isAbsent ? .unavailable : .usage, sentence(error.description))
    }
  }

  /// The only reader that is plugged in. Fails with `unavailable`, and lists what was found, where
  /// there is none or several.
  public static func only() throws(BenchError) -> ReaderChoice {
    do throws(BenchError) {
      return try ReaderChoice(named: only(of: Discovery().readers()))
    } catch {
      throw error.blaming(.unavailable)
    }
  }

  /// Every reader that is plugged in and likely to be one. Fails with `unavailable` where there is
  /// none.
  package static func likelyNames() throws(BenchError) -> [String] {
    let found = Discovery().readers().filter(\.isLikely).map(\.connection)
    guard !found.isEmpty else { throw BenchError(.unavailable, "No reader was found.") }
    return found
  }

  /// The connection string of the only likely reader among `found`. Fails with `unavailable` and
  /// lists what was found.
  package static func only(of found: [ReaderDescription]) throws(BenchError) -> String {
    let likely = found.filter(\.isLikely)
    if likely.count == 1 { return likely[0].connection }
    if likely.isEmpty {
      let others = found.isEmpty ? "" : " Ports that may have a board: \(names(found))."
      throw BenchError(.unavailable, "No reader was found.\(others)", [.nameReader])
    }
    throw BenchError(
      .unavailable, "\(likely.count) readers were found: \(names(likely)).", [.nameReader])
  }

  private static func names(_ readers: [ReaderDescription]) -> String {
    readers.map(\.connection).joined(separator: ", ")
  }
}

extension ReaderChoice {
  /// People call the reader by this name.
  public var name: String {
    switch place {
    case .simulated(let specs): specs.count == 1 ? "simulated" : "simulated, \(specs.count) turns"
    case .replayed: "replayed"
    case .connection(let connection): connection.text
    }
  }

  /// Is true if the reader is a simulated board.
  public var isSimulated: Bool {
    if case .connection = place { false } else { true }
  }

  /// The speed at which a serial reader is opened.
  package var openingSpeed: LinkSpeed {
    guard case .connection(let connection) = place else { return .baud115200 }
    return connection.speed.flatMap(LinkSpeed.init(bitsPerSecond:)) ?? .baud115200
  }

  /// The limit of the reader that a simulated board stands for; nil: the board has its own limit.
  var exchangeLimit: ExchangeLimit? {
    guard case .simulated(let specs) = place else { return nil }
    return specs.board.limit
  }

  /// A simulated adapter is another pseudo-terminal each time: one that is slow is known by the
  /// speed that it can make.
  var adapterName: String? {
    guard case .simulated(let specs) = place, let speed = specs.board.fastestLine else {
      return nil
    }
    return "sim:baudmax=\(speed.bitsPerSecond)"
  }
}
