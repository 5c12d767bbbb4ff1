import Bench
import HTTPServing
import LibNFCReaders
import Synchronization

/// The readers of an agent: those that it was started with, or every one that is plugged in.
package final class Stations: Sendable {
  private let known: Mutex<[Station]>
  private let settings: ReaderSession.Settings
  /// Is true if readers that are plugged in later count, too.
  private let looksForMore: Bool

  /// No `choices`: whatever is plugged in.
  package init(_ choices: [ReaderChoice], _ settings: ReaderSession.Settings) {
    (self.settings, looksForMore) = (settings, choices.isEmpty)
    var stations: [Station] = []
    for choice in choices {
      let name = choice.simulation ?? choice.name
      stations.append(Station(id: Self.id(name, apartFrom: stations), choice, settings))
    }
    known = Mutex(stations)
  }

  /// All of them, in the order in which they were named or found.
  func all() -> [Station] {
    guard looksForMore else { return known.withLock(\.self) }
    let found = Discovery().readers().filter(\.isLikely).map(\.connection)
    return known.withLock { known in
      for name in found where !known.contains(where: { $0.name == name }) {
        guard let choice = try? ReaderChoice(named: name) else { continue }
        known.append(Station(id: Self.id(name, apartFrom: known), choice, settings))
      }
      return known
    }
  }

  /// The reader that an address names.
  func station(_ id: String) throws(Problem) -> Station {
    if let station = known.withLock({ $0.first { $0.id == id } }) { return station }
    guard let station = all().first(where: { $0.id == id }) else {
      throw Problem(.noReader, "There is no reader “\(id.prefix(60))”: GET /v1/readers has all.")
    }
    return station
  }

  /// The known reader whose device file is `device`.
  func station(at device: String) -> Station? {
    known.withLock(\.self).first { $0.choice.device == device }
  }

  /// Closes all readers. Returns what went wrong.
  package func close() -> [String] { known.withLock(\.self).compactMap { $0.close() } }

  /// Returns what names a reader in addresses: letters, digits, dots and dashes of its name.
  static func id(_ name: String, apartFrom stations: [Station]) -> String {
    var id = ""
    for character in name {
      let isKept =
        character.isASCII && (character.isLetter || character.isNumber || "._".contains(character))
      if isKept { id.append(character) } else if id.last != "-" { id.append("-") }
    }
    id = String(id.prefix(80))
    let taken = Set(stations.map(\.id))
    guard taken.contains(id) else { return id }
    return (2...).lazy.map { "\(id)-\($0)" }.first { !taken.contains($0) } ?? id
  }
}
