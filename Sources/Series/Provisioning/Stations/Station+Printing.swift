import Readers

/// A station begins with a tag only while the label of that tag can be printed.
extension Station {
  /// What is in the way of a label; the reader that only inspects prints none.
  private var printerObstacle: PrinterObstacle? {
    isInspector ? nil : line.series?.printer?.obstacle(at: number)
  }

  /// Is true if no tag may be begun, other than for the moment that a label takes.
  var isPrinterAway: Bool { printerObstacle != nil }

  /// A label that takes longer than this is spoken of.
  private static let labelTime = Duration.seconds(2)

  /// Waits until a label can be printed, however long that takes, as all stations do. Throws
  /// `noTag` where nothing is to be waited for, `interrupted` when the work is over.
  func waitForPrinter() throws(ReaderError) {
    let start = clock.now()
    var told: PrinterObstacle?
    while let obstacle = printerObstacle {
      guard !line.isOver() else { throw .interrupted }
      let isSlow = obstacle != .busy || clock.now() - start >= Self.labelTime
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

  /// Waits for the labels of the run, which end with it: as long as they are printed, and as long
  /// as the printer is not ready, unless somebody asks for the end.
  func waitForLastLabels() {
    guard !isInspector, let printer = line.series?.printer, line.state.canRecord else { return }
    let start = clock.now()
    var told: PrinterObstacle?
    while !line.isInterrupted(), let obstacle = printer.unfinished() {
      let isWaiting = obstacle != .busy
      if isWaiting, line.options.timeout == .zero { break }
      if obstacle != told, isWaiting || clock.now() - start >= Self.labelTime {
        told = obstacle
        line.tell(number, .printerWanted(obstacle))
      }
      pause()
    }
    if told != nil { line.tell(number, .printerReady) }
  }
}
