extension BoardStation {
  /// As its terminal shows them. Where that is not known, they are mostly numbered: 2 comes before
  /// 10, and st-2 before st-10.
  var order: StationOrder { StationOrder(bench: bench, position: position, station: station) }
}

/// Stations by bench, place on the line and name, in the order in which people count.
struct StationOrder: Hashable, Comparable {
  let bench: String
  var position = 0
  let station: String

  static func < (one: Self, other: Self) -> Bool {
    if one.bench != other.bench { return isBefore(one.bench, other.bench) }
    if one.position != other.position { return one.position < other.position }
    return isBefore(one.station, other.station)
  }

  /// Digits that stand together count as a number; where nothing else differs, `1` is before `01`.
  private static func isBefore(_ one: String, _ other: String) -> Bool {
    var (left, right) = (one.utf8[...], other.utf8[...])
    while let first = left.first, let second = right.first {
      if isDigit(first), isDigit(second) {
        let numbers = (number(&left), number(&right))
        // Of two numbers without leading zeros the longer one is the larger.
        if numbers.0.count != numbers.1.count { return numbers.0.count < numbers.1.count }
        if !numbers.0.elementsEqual(numbers.1) {
          return numbers.0.lexicographicallyPrecedes(numbers.1)
        }
      } else if first != second {
        return first < second
      } else {
        (left, right) = (left.dropFirst(), right.dropFirst())
      }
    }
    guard left.isEmpty, right.isEmpty else { return left.isEmpty }
    return (one.utf8.count, one) < (other.utf8.count, other)
  }

  /// Takes the number from the beginning, and gives it without its leading zeros.
  private static func number(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
