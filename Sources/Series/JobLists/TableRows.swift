/// One row as it stands in the source.
package struct RawRow: Hashable {
  /// Where the row begins; lines count from 1.
  package var line: Int
  var offset: UInt64
  package var fields: [String]
}

/// A place in a file of lines.
package struct LinePlace: Hashable {
  /// Lines count from 1.
  package var line = 1
  /// In bytes.
  var offset: UInt64
  /// The byte before.
  var previous: UInt8 = 0

  var isLineStart: Bool { previous == 0x0A || previous == 0x0D }
}

/// The rows of a table, read as a stream: RFC 4180 with any delimiter, CRLF, LF or CR.
///
/// libcsv does not say where a row begins, so it is given the file line by line. After a row that
/// cannot be read, reading goes on at the line behind that row's first: a forgotten quote spoils
/// one row and not the rest.
package struct TableRows {
  /// A longer row is a mistake: no tag takes so much.
  package static let longestRow = 65_536

  private let file: SourceFile
  private let parser: CSVParser
  /// The columns' names, for what is said of a row.
  private let names: [String]
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// What of `buffer` is still to be looked at.
  private var unread = 0..<0
  /// The rows that have separators and nothing else; they are left out.
  private(set) var blank = BlankRows()
  private let isOneColumn: Bool
  /// Where `unread` begins: behind the last row, perhaps in front of a line end.
  package private(set) var place: LinePlace

  /// Reads on from a place where a row begins. `quote` 0: no character quotes.
  init(
    _ file: SourceFile, delimiter: UInt8, quote: UInt8, names: [String], from place: LinePlace
  ) {
    self.file = file
    self.names = names
    isOneColumn = names.count == 1 && delimiter == UInt8(ascii: ",")
    parser = CSVParser(delimiter: delimiter, quote: quote)
    self.place = place
  }

  /// The next row; nil at the end. A row that cannot be read is a problem, as is the end of reading
  /// itself.
  package mutating func next() -> Result<RawRow, RowError>? {
    parser.beginRow()
    var start = place
    /// The line behind the first of the row.
    var secondLine: LinePlace?
    while true {
      if parser.isBetweenRows { (start, secondLine) = (place, nil) }
      let chunk: Range<Int>
      do throws(JobSourceError) {
        chunk = try nextChunk()
      } catch {
        unread = 0..<0
        return .failure(RowError(line: place.line, error.message))
      }
      if chunk.isEmpty {
        guard !parser.isBetweenRows else { return nil }
        guard parser.finish() else {
          return giveUp(start, secondLine, "A quote is opened and never closed.")
        }
        if isBlank {
          blank.add(start.line)
          return nil
        }
        return .some(row(start))
      }
      guard buffer[chunk].firstPlace(of: 0) == nil else {
        advance(over: chunk)
        return giveUp(start, secondLine, "It has a NUL byte: this is no text.")
      }
      let isRead = parser.feed(buffer[chunk])
      advance(over: chunk)
      guard isRead else {
        return giveUp(
          start, secondLine,
          "A quotation mark is inside a field that does not begin with one. Write such a field \"like \"\"this\"\"\"."
        )
      }
      if parser.isComplete {
        guard isBlank else { return .some(row(start)) }
        blank.add(start.line)
        parser.beginRow()
        continue
      }
      if place.isLineStart, secondLine == nil { secondLine = place }
      if place.offset - start.offset > UInt64(Self.longestRow) {
        return giveUp(
          start, secondLine,
          "The row has more than \(Self.longestRow) bytes; is a quote opened and not closed?")
      }
    }
  }

  // MARK: Rows

  /// Is true if the row has separators alone, as a spreadsheet writes behind its last line.
  private var isBlank: Bool { !names.isEmpty && parser.bytes.isEmpty && parser.ends.count > 1 }

  /// The separator of another table in a row of one column: nothing in the header says which one
  /// divides, so a value that has one stands in quotes.
  private func separator(in row: RawRow) -> String? {
    guard isOneColumn, let field = row.fields.first,
      let found = field.utf8.first(where: { $0 == UInt8(ascii: ";") || $0 == 0x09 })
    else { return nil }
    var start = [UInt8](repeating: 0, count: 256)
    let count = (try? file.read(into: &start, at: row.offset)) ?? 0
    let isQuoted = start[..<count].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "\"")
    return isQuoted ? nil : found == 0x09 ? "tab" : "semicolon"
  }

  private func row(_ start: LinePlace) -> Result<RawRow, RowError> {
    var row = RawRow(line: start.line, offset: start.offset, fields: [])
    var fieldStart = 0
    for (index, end) in parser.ends.enumerated() {
      guard let text = String(validating: parser.bytes[fieldStart..<end], as: UTF8.self) else {
        return .failure(
          RowError(
            line: start.line, column: names.indices.contains(index) ? names[index] : nil,
            "The text is not UTF-8; save the table as “CSV UTF-8”."))
      }
      row.fields.append(text)
      fieldStart = end
    }
    if let separator = separator(in: row) {
      return .failure(
        RowError(
          line: start.line, column: names.first,
          "It has a \(separator), and the header has one column. \(RowError.quoting)"))
    }
    return .success(row)
  }

  /// Goes on behind the first line of a row that cannot be read.
  private mutating func giveUp(
    _ start: LinePlace, _ secondLine: LinePlace?, _ message: String
  ) -> Result<RawRow, RowError> {
    parser.reset()
    if let secondLine {
      place = secondLine
      unread = 0..<0
    } else {
      // An error on the way is met again by the next row.
      while !place.isLineStart, let chunk = try? nextChunk(), !chunk.isEmpty {
        advance(over: chunk)
      }
    }
    return .failure(RowError(line: start.line, message))
  }

  // MARK: Lines

  /// The bytes up to the next end of a line, or as many as there are at hand; none at the end of
  /// the file.
  private mutating func nextChunk() throws(JobSourceError) -> Range<Int> {
    if unread.isEmpty { unread = 0..<(try file.read(into: &buffer, at: place.offset)) }
    let end = buffer[unread].firstPlace(of: 0x0A).map { $0 + 1 } ?? unread.upperBound
    let line = unread.lowerBound..<end
    return buffer[line].firstPlace(of: 0x0D).map { line.lowerBound..<$0 + 1 } ?? line
  }

  private mutating func advance(over chunk: Range<Int>) {
    // The LF of a CRLF ends no other line.
    let isSecondHalf = place.previous == 0x0D && buffer[chunk.lowerBound] == 0x0A
    place.previous = buffer[chunk.upperBound - 1]
    place.offset += UInt64(chunk.count)
    // The row of a sheet is one line, whatever its cells hold.
    let isInside = file.sheet != nil && !parser.isBetweenRows && !parser.isComplete
    if place.isLineStart, !isSecondHalf, !isInside { place.line += 1 }
    unread = chunk.upperBound..<unread.upperBound
  }
}
