import Bytes
import RecordText
import Workbooks

extension SourceFile {
  /// Opens the table at `path`: a CSV file, or a workbook, of which `sheet` (nil: the first one
  /// that is not hidden) is turned into one.
  static func openTable(_ path: String, sheet: String?) throws(JobSourceError) -> SourceFile {
    let file = try SourceFile(path)
    var start = [UInt8](repeating: 0, count: 8)
    let count = try file.read(into: &start, at: 0)
    if case .workbook? = ForeignFile(start[..<count]) {
      return try SourceFile(of: file) { (append) throws(JobSourceError) in
        try file.copy(sheet, append)
      }
    }
    guard sheet == nil else {
      throw JobSourceError(.usage, "\(file.name) is no workbook, so it has no sheets.")
    }
    return file
  }

  /// Writes the rows of a sheet as records of CSV: a row that the sheet leaves out is an empty
  /// line, so that lines have the numbers of rows. Cells that are empty at a row's end are in no
  /// file.
  private func copy(
    _ sheet: String?, _ append: (ArraySlice<UInt8>) throws(JobSourceError) -> Void
  ) throws(JobSourceError) -> SheetFacts {
    var (line, width, bytes): (Int, Int, [UInt8]) = (0, 0, [])
    var failure: JobSourceError?
    var size = 0
    func flush() {
      size += bytes.count
      if size > SourceFile.pipeLimit, failure == nil {
        failure = JobSourceError(
          .badInput, "\(name) \(WorkbookError.tooLarge(SourceFile.pipeLimit))")
      }
      guard failure == nil else { return bytes.removeAll() }
      do throws(JobSourceError) { try append(bytes[...]) } catch { failure = error }
      bytes.removeAll(keepingCapacity: true)
    }
    let facts: SheetFacts
    do throws(WorkbookError) {
      facts = try Workbook(descriptor).read(sheet: sheet) { row in
        bytes += repeatElement(0x0A, count: row.number - line - 1)
        if line == 0 { width = row.cells.count }
        let empty = repeatElement("", count: max(0, width - row.cells.count))
        bytes += CSV.record(row.cells + empty)
        line = row.number
        if bytes.count > 65_536 { flush() }
      }
    } catch {
      throw JobSourceError(error.kind, "\(name) \(error)")
    }
    flush()
    if let failure { throw failure }
    return facts
  }
}

extension WorkbookError {
  fileprivate var kind: JobSourceError.Kind {
    switch self {
    case .noLibrary: .noInput
    default: .badInput
    }
  }
}

extension SheetFacts {
  /// What a person may have meant otherwise; `isNamed`: somebody has named the sheet.
  func remarks(isNamed: Bool) -> [ListRemark] {
    var remarks: [ListRemark] = []
    if shownSheets > 1, !isNamed {
      remarks.append(
        ListRemark(
          code: "first-sheet",
          text:
            "The workbook has \(shownSheets) sheets; the list is the first, \(RecordTextError.quoted(name)). --sheet names another one."
        ))
    }
    if formulas > 0 {
      remarks.append(
        ListRemark(
          code: "formulas",
          text:
            "\(formulas == 1 ? "1 cell has a formula" : "\(formulas) cells have formulas"): the values are those that the spreadsheet has kept."
        ))
    }
    if !merged.isEmpty {
      remarks.append(
        ListRemark(
          code: "merged-cells",
          text:
            "Cells are merged (\(merged.prefix(3).joined(separator: ", "))\(merged.count > 3 ? ", …" : "")): the first of each has the value, the others are empty."
        ))
    }
    if hiddenRows > 0 {
      remarks.append(
        ListRemark(
          code: "hidden-rows",
          text:
            "\(hiddenRows == 1 ? "1 row of the sheet is" : "\(hiddenRows) rows of the sheet are") hidden, perhaps by a filter, and taken like the others."
        ))
    }
    return remarks
  }
}
