import LedgerSQLite

/// Prints a label for each tag that a line finishes. Stations share it.
///
/// Printing takes its own time, on a thread of its own: no tag waits for its label.
package protocol LabelPrinting: Sendable {
  /// Why the station should not begin with a tag; nil: its label can be printed. Answers at once.
  func obstacle(at station: Int) -> PrinterObstacle?

  /// Takes over the label of a tag that the station has finished. Returns at once.
  func print(_ written: WrittenTag, at station: Int)

  /// Why labels that it took over are not printed yet, `busy` when they are on their way; nil:
  /// nothing is left to wait for. Answers at once.
  func unfinished() -> PrinterObstacle?
}
