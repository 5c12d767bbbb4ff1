import LibNFCReaders
import PN532

/// What a board was found not to do, so that it is not asked for it: `[boards."READER"]` of
/// nfcprog.toml, which `bring-up --apply` writes.
package struct BoardLimits: Hashable, Sendable {
  /// The fastest that its line may be raised to by itself; nil: what both ends follow to.
  package var speed: LinkSpeed?
  /// The most pages of one FAST_READ; 4: READ takes its place. Nil: 60.
  package var fastReadPages: Int?
  /// Tags get 51.2 ms for an answer from the start, in place of 12.8.
  package var hasSlowTags = false

  package init(speed: LinkSpeed? = nil, fastReadPages: Int? = nil, hasSlowTags: Bool = false) {
    (self.speed, self.fastReadPages, self.hasSlowTags) = (speed, fastReadPages, hasSlowTags)
  }

  package var isEmpty: Bool { self == BoardLimits() }

  /// Both: the lower of each.
  package func joined(with other: BoardLimits) -> BoardLimits {
    var joined = self
    joined.speed = [speed, other.speed].compactMap(\.self).min { $0.rawValue < $1.rawValue }
    joined.fastReadPages = [fastReadPages, other.fastReadPages].compactMap(\.self).min()
    joined.hasSlowTags = hasSlowTags || other.hasSlowTags
    return joined
  }

  /// How fast the line is driven where `wanted` was asked for: a speed that a person names counts.
  func speed(for wanted: LineSpeed) -> LineSpeed {
    wanted == .automatic ? speed.map(LineSpeed.fixed) ?? wanted : wanted
  }
}

extension ReaderChoice {
  /// The limits that `boards` has for this reader: by the text of a simulated one, else by where a
  /// name leads.
  package func limits(in boards: [String: BoardLimits]) -> BoardLimits {
    guard !boards.isEmpty else { return BoardLimits() }
    switch place {
    case .simulated, .replayed: return simulation.flatMap { boards[$0] } ?? BoardLimits()
    case .connection(let connection):
      let names = boards.keys.sorted().filter { name in
        name == connection.text || (try? ConnectionString(name))?.leads(to: connection) == true
      }
      return names.compactMap { boards[$0] }.reduce(BoardLimits()) { $0.joined(with: $1) }
    }
  }

  /// What limits of this reader are kept under: a name that lasts, where it has one.
  package var lastingName: String {
    switch place {
    case .simulated, .replayed: simulation ?? name
    case .connection(let connection):
      Discovery().readers(inDetail: false).first { reader in
        (try? ConnectionString(reader.connection))?.leads(to: connection) == true
      }?.lastingPath.map { "pn532_uart:\($0)" } ?? connection.plain
    }
  }
}
