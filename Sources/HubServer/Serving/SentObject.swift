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
  func table() throws(Problem) -> String {
    switch (csv, rows) {
    case (let csv?, nil): csv
    case (nil, let rows?): Self.table(rows)
    default: throw Problem(.badRequest, "The list stands in csv or in rows, one of the two.")
    }
  }

  /// With the columns of all rows, in alphabetical order; a row that lacks one has no text there.
  private static func table(_ rows: [[String: Cell]]) -> String {
    let columns = Set(rows.flatMap(\.keys)).sorted()
    func line(_ cells: [String]) -> String {
      cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\r\n"
    }
    guard !columns.isEmpty else { return "" }
    return line(columns)
      + rows.map { row in line(columns.map { row[$0]?.text ?? "" }) }.joined()
  }
}
