import CoreNFC
import PN532Simulator
import Testing

/// A simulated board of a test's own, whose tags it takes away and lays down; sessions find it by
/// its port.
final class Board: @unchecked Sendable {
  private let board: SimulatedBoard
  private let tags: [any VirtualTag]

  init(_ tags: String..., faults: FaultPlan = .none) throws {
    self.tags = try tags.enumerated().map { try TagCatalog.tag($1, index: $0) }
    board = SimulatedBoard(field: Field([self.tags]), faults: faults)
    NFCReaderSession.benchReader = try board.start()
  }

  /// Takes everything away.
  func clear() { board.removeTags() }

  /// Lays the tag down again.
  func lay() { board.exclusively { $0.field.place(self.tags) } }

  /// How many commands the board has got.
  var commandCount: Int { board.places.commands }

  /// Waits until a session has looked often enough to have seen what lies here now.
  func waitForLooks(_ what: String, _ location: SourceLocation = #_sourceLocation) {
    let before = commandCount
    wait(for: what, location) { commandCount > before + 30 }
  }

  /// The first tag's memory now.
  var memory: [UInt8] { board.exclusively { _ in tags[0].eeprom.bytes } }

  func unplug() { board.unplug() }
  var isPlugged: Bool { board.path != nil }
}
