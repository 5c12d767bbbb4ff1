/// How a table of comma-separated values is written: what divides its fields, and whether the
/// byte-order mark of UTF-8 begins it, by which spreadsheets know it.
///
/// What is made of a list is written as the list is, so that it opens in the program that made it.
package struct TableDialect: Hashable, Sendable {
  /// A byte of ASCII.
  package var delimiter: UInt8
  package var hasMark: Bool

  /// Commas, and no mark: RFC 4180.
  package static let plain = TableDialect(delimiter: UInt8(ascii: ","), hasMark: false)

  package init(delimiter: UInt8, hasMark: Bool) {
    (self.delimiter, self.hasMark) = (delimiter, hasMark)
  }

  /// The bytes in front of the first record.
  package var opening: [UInt8] { hasMark ? [0xEF, 0xBB, 0xBF] : [] }

  private static let names: [UInt8: String] = [
    UInt8(ascii: ","): "comma", UInt8(ascii: ";"): "semicolon", UInt8(ascii: "\t"): "tab",
  ]
  /// The setting of a series that has its dialect.
  package static let settingName = "table"
  private static let mark = ", byte-order mark"

  /// `semicolon, byte-order mark`.
  var words: String {
    let name = Self.names[delimiter] ?? String(UnicodeScalar(delimiter))
    return name + (hasMark ? Self.mark : "")
  }

  /// The dialect that `setting` has said; plain where it is none of ours.
  init(setting: String) {
    let hasMark = setting.hasSuffix(Self.mark)
    let name = hasMark ? String(setting.dropLast(Self.mark.count)) : setting
    let delimiter =
      Self.names.first { $0.value == name }?.key
      ?? (name.utf8.count == 1 ? name.utf8.first : nil)
    self.init(delimiter: delimiter ?? Self.plain.delimiter, hasMark: hasMark)
  }
}
