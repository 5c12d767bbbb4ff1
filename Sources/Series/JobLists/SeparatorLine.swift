/// `sep=;`, by which Excel knows how to divide a table: it writes and reads this line, and shows it
/// to nobody.
struct SeparatorLine {
  let separator: UInt8
  /// Where the next line begins.
  let end: Int

  /// Nil where the table begins with another line. `text` ends behind the line, or behind the file.
  init?(_ text: ArraySlice<UInt8>) {
    var line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    let lineEnd = line.endIndex
    if line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\""), line.count == 7 {
      line = line.dropFirst().dropLast()
    }
    // Who divides by semicolons has two fields there.
    let words = line.prefix(4).map { $0 | 0x20 }
    guard line.count == 5, words[..<3] == Array("sep".utf8)[...],
      line[line.startIndex + 3] == UInt8(ascii: "="), let last = line.last,
      last != UInt8(ascii: "\""), !UnicodeScalar(last).properties.isAlphabetic
    else { return nil }
    separator = last
    let isCRLF = text[lineEnd...].starts(with: [0x0D, 0x0A])
    end = min(text.endIndex, lineEnd + (isCRLF ? 2 : 1))
  }
}
