/// Why the table of a workbook cannot be read.
package enum WorkbookError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libzip is not there; what the system says.
  case noLibrary(String)
  /// The file is a ZIP file, and no workbook: what it is.
  case other(String)
  /// A part of the file is not as ECMA-376 has it: which, and why.
  case damaged(part: String, String)
  /// The workbook has no such sheet; those that it has.
  case noSheet(String, has: [String])
  /// Unpacked it is larger than this many bytes.
  case tooLarge(Int)

  /// What follows a file's name in a sentence.
  package var description: String {
    switch self {
    case .noLibrary(let reason):
      "is a workbook, and libzip, which opens such files, cannot be loaded (\(reason)). Install it (Debian: libzip4 or libzip5), or save the table as “CSV UTF-8”."
    case .other(let kind): "is \(kind); save the table as .xlsx or as “CSV UTF-8”."
    case .damaged(let part, let reason):
      "is a damaged workbook: in \(part), \(reason). Save it again in a spreadsheet."
    case .noSheet(let name, let sheets):
      sheets.isEmpty
        ? "is a workbook without a sheet of cells."
        : "has no sheet “\(name)”; it has \(sheets.map { "“\($0)”" }.joined(separator: ", "))."
    case .tooLarge(let limit): "has more than \(limit) bytes when it is unpacked."
    }
  }
}
