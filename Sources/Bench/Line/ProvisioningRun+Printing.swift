import Bench
import LedgerSQLite

/// Labels that a printer prints.
extension ProvisioningRun {
  /// The printer, which begins with the labels that earlier runs have left; nil without one.
  func openPrinter(_ session: JournalSession) throws(BenchError) -> LabelPrinter? {
    guard let settings = settings.printer, let label else { return nil }
    let printer = LabelPrinter(
      settings.address, label, journal: session.journal,
      complain: { [tell] in tell(.complaint($0)) })
    let due = try BenchError.journaled { () throws(JournalError) in
      guard let choice = settings.printsAgain else {
        return try session.journal.labelsDue(for: session)
      }
      let again = try session.journal.printAgain(choice, for: session)
      say(choice, again, session.journal.pool != nil)
      let others = try session.journal.labelsDue(for: session)
      return again.tags + others.filter { !again.tags.contains($0) }
    }
    try printer.begin()
    let count = due.count(where: label.isPrintable)
    if count > 0 { tell(.remark(.labelsPrinted(count))) }
    printer.print(due)
    return printer
  }

  /// Says of which labels nothing is printed, though they were asked for.
  private func say(_ choice: LabelChoice, _ reprints: Reprints, _ isPool: Bool) {
    if choice == .unsure, reprints.tags.isEmpty { tell(.remark(.nothingUnsure)) }
    if !reprints.unfinished.isEmpty {
      tell(.remark(.reprintsUnfinished(reprints.unfinished, isPool: isPool)))
    }
    if let last = reprints.lastJob { tell(.remark(.reprintsUnknown(lastJob: last))) }
  }

  /// What is known of the labels at the end, with the number of those that this run has printed.
  func prints(
    of printer: LabelPrinter, _ session: JournalSession
  ) throws(BenchError) -> OpenPrints {
    try BenchError.journaled { () throws(JournalError) in
      var prints = try session.journal.openPrints(for: session)
      // Other runs at work print theirs themselves.
      let due = try session.journal.labelsDue(of: printer.owed)
      prints.due = due.filter { label?.isPrintable($0) ?? true }.map(\.job.number)
      prints.tooLong = due.filter { label?.isPrintable($0) == false }.map(\.job.number)
      prints.printed = printer.printed
      prints.reason = printer.obstacle?.what
      return prints
    }
  }
}
