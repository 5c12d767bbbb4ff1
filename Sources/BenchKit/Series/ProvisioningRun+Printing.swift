import Provisioning

/// Labels that a printer prints.
extension ProvisioningRun {
  /// The printer, which begins with the labels that earlier runs have left; nil without one.
  func openPrinter(_ session: JournalSession) throws(BenchError) -> LabelPrinter? {
    guard let settings = settings.printer, let label else { return nil }
    let printer = LabelPrinter(
      settings.address, label, journal: session.journal,
      complain: { [tell] in tell(.complaint($0)) })
    let due = try BenchError.journaled { () throws(JournalError) in
      if let choice = settings.printsAgain {
        say(choice, try session.journal.printAgain(choice), session.journal.pool != nil)
      }
      return try session.journal.labelsDue(for: session).filter(label.isPrintable)
    }
    try printer.begin()
    if !due.isEmpty { tell(.remark(.labelsPrinted(due.count))) }
    printer.print(due)
    return printer
  }

  /// Says of which labels nothing is printed, though they were asked for.
  private func say(_ choice: LabelChoice, _ reprints: Reprints, _ isPool: Bool) {
    if choice == .unsure, reprints.count == 0 { tell(.remark(.nothingUnsure)) }
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
      var prints = try session.journal.openPrints()
      // Other runs at work print theirs themselves.
      let due = try session.journal.labelsDue(for: session)
      prints.due = due.filter { label?.isPrintable($0) ?? true }.map(\.job.number)
      prints.tooLong = due.filter { label?.isPrintable($0) == false }.map(\.job.number)
      prints.printed = printer.printed
      return prints
    }
  }
}
