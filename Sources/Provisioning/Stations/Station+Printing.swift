import Readers

/// A station begins with a tag only while the label of that tag can be printed.
extension Station {
  /// What is in the way of a label; the reader that only inspects prints none.
  private var printerObstacle: PrinterObstacle? {
    isInspector ? nil : line.printer?.obstacle(at: number)
  }

  /// Whether no tag may be begun, other than for the moment that a label takes.
  var isPrinterAway: Bool { printerObstacle != nil }

  /// A label that takes longer than this is spoken of.
  private static let labelTime = Duration.seconds(2)

  /// Waits until a label can be printed, however long that takes, as all stations do. Throws
  /// `noTag` where nothing is to be waited for, `interrupted` when the work is over.
  func waitForPrinter() throws(ReaderError) {
    let start = ContinuousClock.now
    var told: PrinterObstacle?
    while let obstacle = printerObstacle {
      guard !line.isOver() else { throw .interrupted }
      let isSlow = obstacle != .busy || start.duration(to: .now) >= Self.labelTime
      if obstacle != told, isSlow {
        told = obstacle
        line.tell(number, .printerWanted(obstacle))
      }
      guard line.options.timeout > .zero || obstacle == .busy else { throw .noTag }
      line.state.noteActivity()
      line.checkJournal()
      pause()
    }
    if told != nil { line.tell(number, .printerReady) }
  }
}
