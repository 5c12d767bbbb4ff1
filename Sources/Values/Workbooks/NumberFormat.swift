#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the format of a cell makes of its number (ECMA-376 part 1, 18.8.30 and 18.8.31).
enum NumberFormat: Hashable {
  /// The number is shown as it is (0), or as a whole number with zeros in front, so that it has
  /// this many digits.
  case plain(digits: Int)
  case date
  /// The format adds separators, a percent sign, decimal places or similar.
  case other

  /// One of those that every workbook has, by its number.
  init(builtIn id: Int) {
    switch id {
    case 0, 49: self = .plain(digits: 0)
    case 1: self = .plain(digits: 1)
    // 27 to 36 and 50 to 58 are dates in workbooks of eastern Asia.
    case 14...22, 27...36, 45...47, 50...58: self = .date
    default: self = .other
    }
  }

  /// One that the workbook defines.
  init(code: String) {
    if code.lowercased() == "general" || code == "@" {
      self = .plain(digits: 0)
    } else if !code.isEmpty, code.allSatisfy({ $0 == "0" }) {
      self = .plain(digits: code.count)
    } else {
      self = Self.letters(of: code[...]).contains(where: "dmyhs".contains) ? .date : .other
    }
  }

  /// The letters that stand for something: not those in quotes, behind a backslash, `_` or `*`, and
  /// in brackets, but for `[h]`, `[mm]` and `[s]`, which count time.
  private static func letters(of code: Substring) -> String {
    var letters = ""
    var rest = code[...]
    while let character = rest.popFirst() {
      switch character {
      case "\"": rest = rest.drop { $0 != "\"" }.dropFirst()
      case "\\", "_", "*": rest = rest.dropFirst()
      case "[":
        let inside = rest.prefix { $0 != "]" }.lowercased()
        if inside.allSatisfy("hms".contains) { letters += inside }
        rest = rest.drop { $0 != "]" }.dropFirst()
      default: if character.isLetter { letters += character.lowercased() }
      }
    }
    // `General` within a longer format, and the exponent of `0.00E+00`.
    return letters.replacing("general", with: "").replacing("e", with: "")
  }

  /// The number as the sheet shows it, or what is wrong with it. `text` is what the file has.
  func shown(_ text: String) -> String {
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isDecimal, let value = Double(text), value.isFinite else { return text }
    guard case .plain(let digits) = self else {
      return self == .date ? CellFault.date.rawValue : CellFault.format.rawValue
    }
    let number = Self.decimal(text, value)
    guard digits > 0 else { return number }
    let (sign, whole) = number.hasPrefix("-") ? ("-", number.dropFirst()) : ("", number[...])
    guard whole.allSatisfy({ ("0"..."9").contains($0) }) else { return CellFault.format.rawValue }
    return sign + String(repeating: "0", count: max(0, digits - whole.count)) + whole
  }

  /// A whole number has all the digits that the file has of it; another one 15, as in a
  /// spreadsheet, which keeps 1.1 as 1.1000000000000001.
  private static func decimal(_ text: String, _ value: Double) -> String {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if digits.allSatisfy({ ("0"..."9").contains($0) }), digits == "0" || !digits.hasPrefix("0") {
      return text
    }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    var buffer = [CChar](repeating: 0, count: 32)
    let count = unsafe withVaList([value]) { unsafe vsnprintf(&buffer, buffer.count, "%.15g", $0) }
    return String(decoding: buffer.prefix(Int(count)).map(UInt8.init), as: UTF8.self)
  }
}
