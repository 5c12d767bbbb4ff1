/// The beginning of a table: byte-order mark, delimiter and header.
struct TableOpening {
  let delimiter: UInt8
  let header: Header
  /// Where the rows begin.
  let dataStart: LinePlace

  init(_ file: SourceFile) throws(JobSourceError) {
    let mark = try Self.byteOrderMark(of: file)
    var beginning = [UInt8](repeating: 0, count: TableRows.longestRow)
    let count = try file.read(into: &beginning, at: mark)
    let lines = beginning[..<count].drop { $0 == 0x0A || $0 == 0x0D }
    delimiter = Header.delimiter(of: lines.prefix { $0 != 0x0A && $0 != 0x0D })
    var rows = TableRows(
      file, delimiter: delimiter, quote: UInt8(ascii: "\""), names: [],
      from: LinePlace(offset: mark))
    switch rows.next() {
    case nil: throw JobSourceError(.badInput, "\(file.name) is empty.")
    case .failure(let problem): throw JobSourceError(.badInput, "\(file.name), \(problem)")
    case .success(let row):
      header = try Header(row.fields)
      guard !header.names.isEmpty else {
        throw JobSourceError(.badInput, "The first line of \(file.name) names no columns.")
      }
    }
    dataStart = rows.place
  }

  /// How many bytes the mark of UTF-8 takes. Fails for that of UTF-16.
  static func byteOrderMark(of file: SourceFile) throws(JobSourceError) -> UInt64 {
    var mark: [UInt8] = [0, 0, 0]
    let count = try file.read(into: &mark, at: 0)
    if count >= 2, mark[..<2] == [0xFF, 0xFE] || mark[..<2] == [0xFE, 0xFF] {
      throw JobSourceError(
        .badInput, "\(file.name) is UTF-16; save the table as “CSV UTF-8”.")
    }
    return mark == [0xEF, 0xBB, 0xBF] ? 3 : 0
  }
}
