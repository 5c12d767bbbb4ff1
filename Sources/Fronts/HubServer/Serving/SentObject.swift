import HTTPServing
import HubKit

/// The members of a JSON object that somebody sends.
struct SentObject: Decodable {
  var id: String?
  var csv: String?
  var rows: [[String: Cell]]?
  var template: String?
  var tag: String?
  var lock: Bool?

  /// A text, or a whole number.
  struct Cell: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int64.self) {
        text = "\(number)"
      } else {
        text = try container.decode(String.self)
      }
    }
  }

  /// The names of the members that an object has.
  struct Names: Decodable {
    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    var names: [String]

    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
    }
  }

  /// The list as a CSV text.
  func table() throws -> String {
    switch (csv, rows) {
    case (let csv?, nil): csv
    case (nil, let rows?): try Self.table(rows)
    default: throw Problem(.badRequest, "The list stands in csv or in rows, one of the two.")
    }
  }

  /// Columns of all rows together: a row has a cell for each of them, be it empty.
  private static let mostColumns = 200

  /// With the columns of all rows, in alphabetical order; a row that lacks one has no text there.
  private static func table(_ rows: [[String: Cell]]) throws -> String {
    var names: Set<String> = []
    for row in rows {
      names.formUnion(row.keys)
      guard names.count <= mostColumns else {
        throw HubError.badList(["The rows have more than \(mostColumns) columns in all."])
      }
    }
    let columns = names.sorted()
    guard !columns.isEmpty else { return "" }
    var table: [UInt8] = []
    append(columns, to: &table)
    for row in rows {
      append(columns.map { row[$0]?.text ?? "" }, to: &table)
      guard table.count <= SentBody.largest.csv else {
        throw Problem(.tooLarge, "The rows are too large a table. Send them in pieces.")
      }
    }
    return String(decoding: table, as: UTF8.self)
  }

  /// Adds a line. By bytes: a mark behind a quotation mark is one character with it.
  private static func append(_ cells: [String], to table: inout [UInt8]) {
    let mark = UInt8(ascii: "\"")
    for (index, cell) in cells.enumerated() {
      if index > 0 { table.append(UInt8(ascii: ",")) }
      table.append(mark)
      for byte in cell.utf8 {
        if byte == mark { table.append(mark) }
        table.append(byte)
      }
      table.append(mark)
    }
    table += [0x0D, 0x0A]
  }
}
