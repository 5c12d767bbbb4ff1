/// Finds the records of a file that `CSV` wrote as it comes, piece by piece.
///
/// Such a file has no misplaced quote. One that has is somebody else's: the quote counts as text.
package struct CSVScanner {
  private let parser: CSVParser
  private var offset: UInt64 = 0
  private var hasRecord = false
  /// Where the last whole record ends.
  package private(set) var end: UInt64 = 0
  /// A record has more bytes than any of ours: what is read is something else, and is looked at no
  /// further.
  package private(set) var isTooLong = false

  /// A job list's row has 65,536 bytes at most, and quotes may double them.
  static let longestRecord: UInt64 = 200_000

  /// A file whose fields `delimiter` divides.
  package init(delimiter: UInt8 = TableDialect.plain.delimiter) {
    parser = CSVParser(delimiter: delimiter, isStrict: false)
  }

  /// Is true if something stands after the last whole record.
  package var isTorn: Bool { end != offset }

  /// Takes the next piece, and gives each record that it ends to `take`.
  package mutating func scan(_ bytes: some Sequence<UInt8>, _ take: (_ fields: [String]) -> Void) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty, !isTooLong {
      // The parser takes no more than one end of a record at once.
      var line = rest.firstPlace(of: 0x0A).map { rest[...$0] } ?? rest
      line = line.firstPlace(of: 0x0D).map { line[...$0] } ?? line
      rest = rest[line.endIndex...]
      offset += UInt64(line.count)
      _ = parser.feed(line)
      if parser.isComplete {
        take(parser.fields)
        parser.beginRow()
        hasRecord = true
      }
      // The second half of a CRLF belongs to the record before it.
      if hasRecord, parser.isBetweenRows { end = offset }
      isTooLong = offset - end > Self.longestRecord
    }
  }
}
