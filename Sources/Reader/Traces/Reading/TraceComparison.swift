import PN532

/// Where two runs part.
package struct TraceComparison: Hashable, Sendable {
  /// How they differ there.
  package enum Difference: String, Hashable, Sendable {
    case command, answer, end
  }

  /// How many exchanges are the same before.
  package let sameCount: Int
  /// The exchange of each that differs, counted from 1; nil where that one has ended.
  package let firstPlace: Int?
  package let secondPlace: Int?
  /// Nil: they are the same.
  package let difference: Difference?

  /// Times do not count, nor how often nothing was found while a tag was awaited, nor what a card
  /// and its host encrypt with keys of the moment. A masked byte is any.
  package init(_ first: RecordedSession, _ second: RecordedSession) {
    let (left, right) = (Self.relevant(first), Self.relevant(second))
    let (one, other) = (first.opened, second.opened)
    var index = 0
    while index < left.count, index < right.count {
      let (a, b) = (one[left[index]], other[right[index]])
      let isSameCommand = Self.fits(a.command, b.command) && a.code == b.code
      if !isSameCommand || !Self.fits(a.outcome, b.outcome) {
        (sameCount, firstPlace, secondPlace) = (index, left[index] + 1, right[index] + 1)
        difference = isSameCommand ? .answer : .command
        return
      }
      index += 1
    }
    sameCount = index
    firstPlace = index < left.count ? left[index] + 1 : nil
    secondPlace = index < right.count ? right[index] + 1 : nil
    difference = left.count == right.count ? nil : .end
  }

  /// Without looks that found nothing, and what is done to the field between them: their number
  /// depends on when the tag came.
  private static func relevant(_ session: RecordedSession) -> [Int] {
    session.exchanges.indices.filter { index in
      let exchange = session.exchanges[index]
      switch exchange.code {
      case CommandCode.inListPassiveTarget.rawValue: return exchange.answer != [0x00]
      case CommandCode.rfConfiguration.rawValue: return false
      default: return true
      }
    }
  }

  private static func fits(_ left: [UInt8?], _ right: [UInt8?]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  private static func fits(
    _ left: RecordedExchange.Outcome, _ right: RecordedExchange.Outcome
  ) -> Bool {
    if case .answer(let left) = left, case .answer(let right) = right { return fits(left, right) }
    return left == right
  }
}
