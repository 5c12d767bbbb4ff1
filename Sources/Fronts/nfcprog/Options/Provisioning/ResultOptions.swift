import ArgumentParser
import Bench
import JobLists
import LedgerSQLite
import Line
import Provisioning

/// What is made of each finished tag: a row of a label file, a printed label, a call of a command.
struct ResultOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A CSV file with a row for each tag, or a ZPL printer.",
      valueName: "file|printer"))
  var label: [String] = []

  @Option(
    help: ArgumentHelp(
      "The printer's label in ZPL, with {column}, {uid}, {uri} … in the text of ^FD.",
      valueName: "file", visibility: .hidden))
  var labelTemplate: String?

  @Option(
    help: ArgumentHelp(
      "Print labels again: unsure (those that may not have been printed), or numbers of jobs as 17,20-25.",
      valueName: "which", visibility: .hidden))
  var reprintLabels: String?

  @Option(
    help: ArgumentHelp(
      "A shell command to run after each tag, with the result in NFCPROG_RESULT and other variables.",
      valueName: "command", visibility: .hidden))
  var onResult: String?

  @Option(
    help: ArgumentHelp(
      "Time limit of the command.", valueName: "seconds", visibility: .hidden))
  var onResultTimeout = 10.0

  func validate() throws {
    guard files.count <= 1, printers.count <= 1 else {
      throw ValidationError("Give one file and one printer at most with --label.")
    }
    if let printer = printers.first {
      do throws(PrinterAddressError) {
        _ = try PrinterAddress(parsing: printer)
      } catch {
        throw ValidationError("\(error)")
      }
    }
    guard (labelTemplate != nil) == !printers.isEmpty else {
      throw ValidationError(
        "--label-template goes with --label zpl:tcp://HOST or zpl:/dev/usb/lp0, and the other way round."
      )
    }
    guard reprintLabels == nil || !printers.isEmpty else {
      throw ValidationError(
        "--reprint-labels goes with --label zpl:tcp://HOST or zpl:/dev/usb/lp0.")
    }
    if let reprintLabels, LabelChoice(parsing: reprintLabels) == nil {
      throw ValidationError("--reprint-labels takes unsure, or numbers of jobs as 17,20-25.")
    }
    guard onResultTimeout > 0, onResultTimeout <= 3600 else {
      throw ValidationError("--on-result-timeout takes up to 3600 seconds.")
    }
  }

  /// The label file.
  var files: [String] { label.filter { !PrinterAddress.isMeant(by: $0) } }

  var hasPrinter: Bool { !printers.isEmpty }

  private var printers: [String] { label.filter(PrinterAddress.isMeant) }

  /// The printer, with its template as it is read now.
  func printer() throws(BenchError) -> LabelPrinter.Settings? {
    guard let printer = printers.first, let path = labelTemplate else { return nil }
    guard let address = try? PrinterAddress(parsing: printer) else { return nil }
    guard let text = String(validating: try Files.read(path), as: UTF8.self) else {
      throw BenchError(
        .badInput, "\(path) cannot be used as a label: it is not UTF-8. No tag was written.")
    }
    return LabelPrinter.Settings(
      address, path: path, text: text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text,
      printsAgain: reprintLabels.flatMap(LabelChoice.init))
  }
}
