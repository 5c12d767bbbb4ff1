import PN532

/// A PN532 board on a pseudo-terminal, for any program that opens serial ports.
///
/// It has power from the start and keeps its state while programs open and close the port. One
/// thread of its own serves the line; every public member may be called from any thread. Dropping
/// the board stops it.
package final class SimulatedBoard: Sendable {
  private let core: BoardCore

  /// Takes over `field` and its tags: while the board runs, look at them within `exclusively` only.
  /// `deviations`: how the board differs from a genuine one.
  ///
  /// With `realtime` answers take as long as `timeModel` says; without, they come at once.
  /// `recorder` gets everything that crosses the wire, on the board's thread; it must not
  /// call the board.
  package init(
    field: Field, faults: FaultPlan = .none, timeModel: TimeModel = TimeModel(),
    deviations: BoardDeviations = BoardDeviations(), realtime: Bool = false,
    recorder: (@Sendable (WireFrame) -> Void)? = nil
  ) {
    let chip = Chip(
      field: field, faults: faults, timeModel: timeModel, deviations: deviations)
    core = BoardCore(line: SerialLine(chip: chip, realtime: realtime), recorder: recorder)
  }

  deinit { core.stop() }

  /// Opens a pseudo-terminal, also under the symbolic link `link` where one is given, and returns
  /// its path. A board that was stopped or unplugged starts again under another path; the link
  /// stays the same.
  @discardableResult
  package func start(link: String? = nil) throws(SimulatorError) -> String {
    try core.start(link: link)
  }

  /// Hangs up: programs at the other end read end-of-file, or get EIO. The chip keeps its power.
  package func stop() { core.stop() }

  /// As `stop`, and the chip loses its power.
  package func unplug() {
    core.stop()
    core.exclusively { line in line.powerCycle() }
  }

  /// The port that programs open; nil while stopped, or when a fault has unplugged the board.
  package var path: String? { core.path }

  /// Runs `body` while the board holds still: for a look at the chip, its field and its tags, or a
  /// change to them.
  package func exclusively<Value, Failure: Error>(
    _ body: (Chip) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try core.exclusively { line throws(Failure) in try body(line.chip) }
  }

  /// What was asked of the board so far, and its modelled cost.
  package var statistics: Statistics { exclusively { chip in chip.statistics } }

  /// How many places for faults there have been so far.
  package var places: FaultPlaces { exclusively { chip in chip.places } }

  /// Takes everything off the antenna and lays the reel's next presentation down.
  package func next() { exclusively { chip in chip.field.next() } }

  /// Takes everything off the antenna.
  package func removeTags() { exclusively { chip in chip.field.remove() } }
}
