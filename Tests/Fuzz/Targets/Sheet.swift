#if canImport(Workbooks)
  @testable import Workbooks
#endif

/// The sheet of a workbook has rows in order, each with cells, or is refused; in how many pieces it
/// comes makes no difference.
enum SheetTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    let whole = rows(bytes, pieces: max(1, bytes.count))
    try require(whole == rows(bytes, pieces: 7), "pieces make a difference")
    var last = 0
    for row in whole?.rows ?? [] {
      try require(row.number > last, "row \(row.number) follows row \(last)")
      last = row.number
      try require(row.cells.last?.isEmpty == false, "row \(last) ends in nothing")
      try require(row.cells.count <= SheetReader.mostColumns, "row \(last) is too wide")
    }
  }

  private struct Sheet: Equatable {
    var rows: [SheetRow]
    let facts: SheetFacts
  }

  /// Nil for a sheet that is refused.
  private static func rows(_ bytes: [UInt8], pieces size: Int) -> Sheet? {
    let reader = SheetReader(
      texts: ["code", "A1"], formats: [.plain(digits: 0), .plain(digits: 5), .date, .other])
    var rows: [SheetRow] = []
    let facts = try? reader.read(
      "sheet",
      { (take) throws(WorkbookError) in
        var rest = bytes[...]
        while !rest.isEmpty {
          try take(rest.prefix(size))
          rest = rest.dropFirst(size)
        }
        try take([])
        return true
      }, { rows.append($0) })
    return facts.map { Sheet(rows: rows, facts: $0) }
  }
}
