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
      if let choice = settings.printsAgain { _ = try session.journal.printAgain(choice) }
      return try session.journal.labelsDue(for: session)
    }
    try printer.begin()
    if !due.isEmpty { tell(.remark(.labelsPrinted(due.count))) }
    printer.print(due)
    return printer
  }

  /// What is known of the labels at the end, with the number of those that this run has printed.
  func prints(
    of printer: LabelPrinter, _ session: JournalSession
  ) throws(BenchError) -> OpenPrints {
    try BenchError.journaled { () throws(JournalError) in
      var prints = try session.journal.openPrints()
      // Other runs at work print theirs themselves.
      prints.due = try session.journal.labelsDue(for: session).map(\.job.number)
      prints.printed = printer.printed
      return prints
    }
  }
}
