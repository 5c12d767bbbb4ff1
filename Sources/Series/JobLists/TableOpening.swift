import Bytes

/// The beginning of a table: byte-order mark, the line that names the separator, header.
package struct TableOpening {
  let dialect: TableDialect
  let header: Header
  /// Where the rows begin.
  let dataStart: LinePlace

  init(_ file: SourceFile) throws(JobSourceError) {
    let mark = try file.markLength()
    var beginning = [UInt8](repeating: 0, count: TableRows.longestRow)
    let count = try file.read(into: &beginning, at: mark)
    var lines = beginning[..<count].drop { $0 == 0x0A || $0 == 0x0D }
    var place = LinePlace(offset: mark)
    let named = SeparatorLine(lines)
    if let named {
      let ends = beginning[..<named.end].filter { $0 == 0x0A }.count
      place = LinePlace(
        line: 1 + max(1, ends), offset: mark + UInt64(named.end), previous: beginning[named.end - 1]
      )
      lines = beginning[named.end..<count].drop { $0 == 0x0A || $0 == 0x0D }
    }
    let first = lines.prefix { $0 != 0x0A && $0 != 0x0D }
    dialect = TableDialect(
      delimiter: named?.separator ?? Header.delimiter(of: first), hasMark: mark > 0)
    var rows = TableRows(
      file, delimiter: dialect.delimiter, quote: UInt8(ascii: "\""), names: [], from: place)
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

  /// Where the header ends in `bytes`, whose lines end at `lineEnds`; nil: it is not whole yet. A
  /// line that names the separator stands in front of it.
  package static func end(ofHeaderIn bytes: [UInt8], lineEnds: [Int]) -> Int? {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return SeparatorLine(bytes[mark...]) == nil ? lineEnds.first : lineEnds.dropFirst().first
  }
}

extension SourceFile {
  /// How many bytes the byte-order mark of UTF-8 takes: 3, or 0 where there is none. Fails for a
  /// file that is something else than text in UTF-8, and names it.
  func markLength() throws(JobSourceError) -> UInt64 {
    var start = [UInt8](repeating: 0, count: 8)
    let count = try read(into: &start, at: 0)
    if let kind = ForeignFile(start[..<count]) {
      throw JobSourceError(.badInput, "\(name) is \(kind.name); save the table as “CSV UTF-8”.")
    }
    return start.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }
}
