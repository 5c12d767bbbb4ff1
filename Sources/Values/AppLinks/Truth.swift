/// Says whether something is so, as far as what was given tells: in their order, so that the least
/// of several holds for all of them together, and the greatest for any one.
enum Truth: Int, Comparable, Hashable, Sendable {
  case no, unknown, yes

  init(_ isTrue: Bool) { self = isTrue ? .yes : .no }

  static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }

  static func & (left: Truth, right: Truth) -> Truth { min(left, right) }
  static func | (left: Truth, right: Truth) -> Truth { max(left, right) }
}

extension Sequence {
  /// Returns whether `condition` holds for any element.
  func any(_ condition: (Element) -> Truth) -> Truth {
    reduce(.no) { $0 == .yes ? .yes : $0 | condition($1) }
  }

  /// Returns whether `condition` holds for all elements.
  func all(_ condition: (Element) -> Truth) -> Truth {
    reduce(.yes) { $0 == .no ? .no : $0 & condition($1) }
  }
}
