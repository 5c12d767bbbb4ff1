/// What stands in place of a cell's value that no list can take: the text says so wherever the row
/// goes, as a spreadsheet's own `#N/A` does.
package enum CellFault: String, CaseIterable, Sendable {
  case date = "#DATE!"
  /// A number that its format shows otherwise.
  case format = "#FORMAT!"
  /// A formula whose value is not in the file.
  case formula = "#FORMULA!"

  /// Full sentences: what it is, and what to do.
  package var sentence: String {
    switch self {
    case .date:
      "The cell has a date, which a workbook keeps as a number and shows in many ways. Format the column as text, fill it in again and save the table."
    case .format:
      "The cell has a number that its format shows otherwise than it is (with decimal places, separators or a percent sign). Format the column as text, fill it in again and save the table."
    case .formula:
      "The cell has a formula whose value is not in the file. Open the workbook in a spreadsheet and save it."
    }
  }
}
