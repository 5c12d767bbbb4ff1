import JobLists

/// Rows that somebody sends for a batch that has its list in the pool: a CSV text with a first line
/// of its own, in which the batch's columns may stand in any order.
struct SentRows {
  /// As lines of the batch's list.
  let bytes: [UInt8]
  /// By number of line of `bytes`, from 1, the line in which it was sent.
  let lines: [Int: Int]

  init(
    _ csv: String, for list: JobSource, _ settings: JobSource.Settings
  ) throws(JobSourceError) {
    let rows = try JobSource(SentList.lines(csv), named: "The text of new rows", settings)
    let names = rows.columns.map { $0.lowercased() }
    let places = list.columns.map { names.firstIndex(of: $0.lowercased()) }
    guard names.count == places.count, !places.contains(nil) else {
      throw JobSourceError(
        .badInput,
        "The columns of new rows are those of the batch: \(list.plan.header.listed). These rows have \(rows.plan.header.listed)."
      )
    }
    var (bytes, lines, line): ([UInt8], [Int: Int], Int) = ([], [:], 1)
    try rows.forEachRow { row throws(JobSourceError) in
      let sent: RawRow
      do throws(RowError) { sent = try row.get() } catch {
        throw JobSourceError(.badInput, error.description)
      }
      let extra = sent.fields.dropFirst(names.count)
      guard sent.fields.count >= names.count, extra.allSatisfy(\.isEmpty) else {
        let error = RowError(
          line: sent.line, "The row has \(sent.fields.count) fields, the header \(names.count).")
        throw JobSourceError(.badInput, error.description)
      }
      let start = bytes.count
      for (column, place) in places.enumerated() {
        if column > 0 { bytes.append(list.delimiter) }
        Self.append(sent.fields[place ?? 0], to: &bytes)
      }
      bytes.append(0x0A)
      lines[line] = sent.line
      line += Self.lineEnds(bytes[start...])
    }
    guard !bytes.isEmpty else { throw JobSourceError(.badInput, "There are no rows.") }
    (self.bytes, self.lines) = (bytes, lines)
  }

  /// In quotes.
  private static func append(_ field: String, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for byte in field.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  /// How many lines end in there: by CRLF, LF or CR.
  private static func lineEnds(_ bytes: ArraySlice<UInt8>) -> Int {
    var (count, previous): (Int, UInt8) = (0, 0)
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A && previous != 0x0D { count += 1 }
      previous = byte
    }
    return count
  }
}
