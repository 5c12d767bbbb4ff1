/// A row of a sheet.
package struct SheetRow: Hashable, Sendable {
  /// Counts from 1, as the spreadsheet shows it; rows without cells are left out.
  package let number: Int
  /// The texts of its cells, the first column's first; those that the file leaves out are empty.
  package let cells: [String]
}

/// What is to be said of a sheet that was read.
package struct SheetFacts: Hashable, Sendable {
  package private(set) var name = ""
  /// How many sheets of the workbook a person sees.
  package private(set) var shownSheets = 1
  /// How many cells have formulas, whose values the spreadsheet has kept.
  package fileprivate(set) var formulas = 0
  package fileprivate(set) var hiddenRows = 0
  /// Ranges of cells that are shown as one, of which the first alone has a value: `B2:B4`.
  package fileprivate(set) var merged: [String] = []

  func of(_ name: String, _ shownSheets: Int) -> SheetFacts {
    var facts = self
    (facts.name, facts.shownSheets) = (name, shownSheets)
    return facts
  }
}

/// Reads the cells of a sheet (ECMA-376 part 1, 18.3.1) as its part is fed.
struct SheetReader {
  let texts: [String]
  let formats: [NumberFormat]
  /// Is true if the workbook says that its formulas are to be computed when it is opened: what it
  /// has of their values is not what a spreadsheet shows.
  var isStale = false

  /// A spreadsheet has no more.
  static let (mostRows, mostColumns) = (1_048_576, 16_384)
  /// A longer row is cut behind this many bytes: no list takes it.
  static let longestRow = 100_000

  private struct State {
    var facts = SheetFacts()
    var row: Int = 0
    var cells: [String] = []
    var size = 0
    var column = 0
    var type = "n"
    var style = 0
    var (hasFormula, hasValue) = (false, false)
    var isValue = false
    var value: [UInt8] = []
    var runs = TextRuns()
    /// What is wrong with the sheet.
    var fault: String?
  }

  /// Reads the part `name`, of which `feed` hands over the bytes, an empty piece at the end; false:
  /// there is no such part.
  func read(
    _ name: String,
    _ feed:
      @escaping (_ take: (ArraySlice<UInt8>) throws(WorkbookError) -> Void) throws(WorkbookError) ->
      Bool,
    _ take: (SheetRow) -> Void
  ) throws(WorkbookError) -> SheetFacts {
    var state = State()
    var rows: [SheetRow] = []
    var part: XMLPart?
    let (texts, formats, isStale) = (texts, formats, isStale)
    let made = XMLPart(
      name,
      begin: { element, values in
        Self.begin(element, values, &state)
        if let fault = state.fault { part?.refuse(fault) }
      },
      end: { element in
        if let row = Self.end(element, texts, formats, isStale, &state) { rows.append(row) }
        if let fault = state.fault { part?.refuse(fault) }
      },
      text: { piece in
        if state.isValue { state.value += piece } else { state.runs.add(piece) }
      })
    part = made
    defer { part = nil }
    let isThere = try feed { (piece) throws(WorkbookError) in
      try made.feed(piece)
      rows.forEach(take)
      rows.removeAll(keepingCapacity: true)
    }
    guard isThere else { throw .damaged(part: name, "the part is missing") }
    return state.facts
  }

  private static func begin(
    _ element: String, _ values: XMLPart.Attributes, _ state: inout State
  ) {
    switch element {
    case "row":
      let number = values["r"].map { Int($0) ?? 0 } ?? state.row + 1
      guard number > state.row, number <= mostRows else {
        state.fault = "row \(values["r"] ?? "") is out of order"
        return
      }
      (state.row, state.cells, state.size, state.column) = (number, [], 0, 0)
      if values["hidden"].map({ $0 == "1" || $0 == "true" }) ?? false {
        state.facts.hiddenRows += 1
      }
    case "c":
      let column = values["r"].map { Self.column($0) } ?? state.column + 1
      guard column > state.column, column <= mostColumns else {
        state.fault = "cell \(values["r"] ?? "") is out of order"
        return
      }
      (state.column, state.type) = (column, values["t"] ?? "n")
      (state.hasFormula, state.hasValue) = (false, false)
      state.style = values["s"].flatMap { Int($0) } ?? 0
      (state.value, state.runs) = ([], TextRuns())
    case "f": state.hasFormula = true
    case "v": (state.isValue, state.hasValue) = (true, true)
    case "mergeCell":
      if let range = values["ref"], range.contains(":") { state.facts.merged.append(range) }
    default: state.runs.begin(element)
    }
  }

  /// Returns the row that the element ends.
  private static func end(
    _ element: String, _ texts: [String], _ formats: [NumberFormat], _ isStale: Bool,
    _ state: inout State
  ) -> SheetRow? {
    switch element {
    case "v": state.isValue = false
    case "c":
      let text = text(texts, formats, isStale, &state)
      guard !text.isEmpty, state.size <= longestRow else { break }
      // A row that no list takes is not made longer.
      state.size += max(text.utf8.count, state.column - state.cells.count)
      guard state.size <= longestRow else {
        state.cells.append(String(decoding: text.utf8.prefix(longestRow), as: UTF8.self))
        break
      }
      while state.cells.count < state.column - 1 { state.cells.append("") }
      state.cells.append(text)
    case "row":
      guard !state.cells.isEmpty else { break }
      return SheetRow(number: state.row, cells: state.cells)
    default: state.runs.end(element)
    }
    return nil
  }

  /// The cell as the sheet shows it, or what is wrong with it.
  private static func text(
    _ texts: [String], _ formats: [NumberFormat], _ isStale: Bool, _ state: inout State
  ) -> String {
    let value = String(decoding: state.value, as: UTF8.self)
    if state.hasFormula {
      guard state.hasValue, !value.isEmpty || state.type == "str", !isStale else {
        return CellFault.formula.rawValue
      }
      state.facts.formulas += 1
    }
    switch state.type {
    case "inlineStr": return state.runs.take()
    case "s":
      guard let number = Int(value), texts.indices.contains(number) else {
        state.fault = "a cell of row \(state.row) names a text that is not there"
        return ""
      }
      return texts[number]
    case "b": return value == "1" || value == "true" ? "TRUE" : "FALSE"
    case "d": return CellFault.date.rawValue
    // `str`, a formula's text; `e`, an error such as `#N/A`.
    case "n":
      guard !value.isEmpty else { return "" }
      guard state.style > 0 || !formats.isEmpty else {
        return NumberFormat.plain(digits: 0).shown(value)
      }
      guard formats.indices.contains(state.style) else {
        state.fault = "a cell of row \(state.row) names a format that is not there"
        return ""
      }
      return formats[state.style].shown(value)
    default: return TextRuns.unescaped(value)
    }
  }

  /// The column of a cell `AB12`, from 1; 0: it is none.
  private static func column(_ reference: String) -> Int {
    var column = 0
    for byte in reference.utf8.prefix(while: { (0x41...0x5A).contains($0) }).prefix(4) {
      column = column * 26 + Int(byte - 0x40)
    }
    return column
  }
}
