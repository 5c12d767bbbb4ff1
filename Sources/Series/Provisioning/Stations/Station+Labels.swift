import Ledger
import LedgerSQLite

/// A label that is printed and scanned before its tag counts as done.
extension Station {
  /// Prints the label of a good tag and has it scanned, where labels are scanned; whether it was
  /// printed, and what became of the tag by that.
  func scanLabel(of outcome: TagOutcome) -> (isPrinted: Bool, TagOutcome) {
    guard let series = line.series, let scans = series.labelScans, let printer = series.printer,
      outcome.verdict == .passed, let written = outcome.written
    else { return (false, outcome) }
    scans.begin(number)
    defer { scans.end(number) }
    printer.print(written, at: number)
    line.tell(number, .labelScanWanted)
    let trouble = waitForLabel(of: written, scans, printer)
    do throws(JournalError) {
      guard let trouble else {
        try series.session.labelMatches(written)
        return (true, outcome)
      }
      let tag = PresentedTag(
        uid: written.uid, tagType: written.tagType, station: name, reader: place.name)
      try series.session.labelFails(written, on: tag, because: trouble, timing: nil)
    } catch {
      line.state.end(.journal(error))
    }
    var failed = outcome
    (failed.verdict, failed.trouble, failed.kind) = (.held, trouble, .mismatch)
    (failed.written, failed.needsInspection) = (nil, false)
    failed.count = EventKind.held.count(.label, setsAside: false)
    failed.next =
      "Set the tag and the label aside. When it is clear which label is whose, put the tag on a reader: it gets another label."
    return (true, failed)
  }

  /// Why the label is not shown to be the tag's; nil where it is. What is in the way of printing is
  /// waited for, as before each tag; for the scanner as long as for a tag.
  private func waitForLabel(
    of written: WrittenTag, _ scans: LabelScans, _ printer: any LabelPrinting
  ) -> TagTrouble? {
    let patience = max(.seconds(1), line.options.timeout)
    var deadline = clock.now() + patience
    var told: PrinterObstacle?
    while clock.now() < deadline, !line.isInterrupted() {
      if let code = scans.code(for: number) {
        guard !LabelScans.names(written, code) else { return nil }
        return TagTrouble(
          .label,
          "LABEL DOES NOT MATCH: the scanned code, “\(code.prefix(80))”, is neither the link nor the UID of this tag, nor the name of its job."
        )
      }
      if let obstacle = printer.obstacle(at: number), obstacle != .busy {
        if told != obstacle { line.tell(number, .printerWanted(obstacle)) }
        (told, deadline) = (obstacle, clock.now() + patience)
      } else if told != nil {
        told = nil
        line.tell(number, .labelScanWanted)
      }
      line.state.noteActivity()
      pause()
    }
    return TagTrouble(.label, "The label of this tag was not scanned.")
  }
}
