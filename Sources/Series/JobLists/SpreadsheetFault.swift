import RecordText
import Workbooks

/// What a spreadsheet writes where a value was, and is none.
enum SpreadsheetFault: Hashable {
  /// `#N/A`, `#REF!`, `#NAME?`, in whatever language.
  case error(String)
  /// `####`: the column was too narrow.
  case narrow(String)
  /// `1.23457E+11`: a number that lost its digits.
  case shortened(String)
  /// `#DATE!`: a cell of a workbook.
  case cell(CellFault)

  /// Nil for any other value.
  init?(_ text: String) {
    // A long list has many values: their first byte tells of nearly all.
    guard let first = text.utf8.first, text.utf8.count <= 32 else { return nil }
    if first == UInt8(ascii: "#") {
      if let fault = CellFault(rawValue: text) {
        self = .cell(fault)
      } else if text.utf8.count > 1, text.utf8.allSatisfy({ $0 == UInt8(ascii: "#") }) {
        self = .narrow(text)
      } else if Self.isError(text.dropFirst()) {
        self = .error(text)
      } else {
        return nil
      }
    } else if Self.isShortened(text.utf8[...]) {
      self = .shortened(text)
    } else {
      return nil
    }
  }

  var sentence: String {
    switch self {
    case .cell(let fault): fault.sentence
    case .error(let text):
      "\(RecordTextError.quoted(text)) is an error of a spreadsheet and no value. Correct the cell and save the table again."
    case .narrow(let text):
      "\(RecordTextError.quoted(text)) stands for a value that did not fit its column in a spreadsheet. Make the column wider and save the table again."
    case .shortened(let text):
      "\(RecordTextError.quoted(text)) is a number that a spreadsheet has shortened: its last digits are lost. Format the column as text, fill it in again and save the table."
    }
  }

  /// Excel's and LibreOffice's errors end in `!` or `?`, but for the missing value.
  private static func isError(_ text: Substring) -> Bool {
    if missing.contains(String(text)) { return true }
    guard let last = text.last, last == "!" || last == "?" else { return false }
    let name = text.dropLast()
    return !name.isEmpty
      && name.allSatisfy {
        $0.isUppercase || $0.isNumber || "/_\u{A1}\u{BF}".contains($0)
      }
  }

  /// "Not available" in English, German, Spanish, Dutch, Portuguese and others.
  private static let missing: Set<String> = [
    "N/A", "NV", "N/D", "N/B", "N/DISP", "I/T", "Z/T", "YOK", "SAKNAS!", "N/V",
  ]

  /// A digit, perhaps a fraction, `E`, a sign and two digits or three.
  private static func isShortened(_ text: Substring.UTF8View) -> Bool {
    var rest = text
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    func digits() -> Int {
      let found = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(found)
      return found
    }
    guard digits() == 1 else { return false }
    if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    guard rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") else { return false }
    rest = rest.dropFirst()
    guard rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") else { return false }
    rest = rest.dropFirst()
    return (2...3).contains(digits()) && rest.isEmpty
  }
}
