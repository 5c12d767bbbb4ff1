import PN532Simulator

/// Everything that may happen at one place of a job, and among which places.
struct FaultKind: Sendable {
  /// Where faults strike.
  enum Place: Sendable { case exchange, programming, command }

  let name: String
  let place: Place
  /// Whether one such fault leaves the board and the tag able to go on.
  let isPassing: Bool
  /// Lays the fault at a place; `stranger` is the other tag.
  let arm: @Sendable (_ place: Int, _ plan: inout FaultPlan, _ stranger: any VirtualTag) -> Void
  var host: DirectLink.Fault.Kind?

  static let all = exchanges + tears + strangers + frames

  private static func exchange(
    _ name: String, isPassing: Bool = true, _ fault: @escaping @Sendable () -> ExchangeFault
  ) -> FaultKind {
    FaultKind(name: name, place: .exchange, isPassing: isPassing) { place, plan, _ in
      plan.exchanges = [(.at(place), fault())]
    }
  }

  private static let exchanges = [
    exchange("silence") { .silence }, exchange("answer lost after it obeyed") { .answerLost },
    exchange("answer damaged") { .answerCorrupt }, exchange("NAK") { .nak(0) },
    exchange("removed before", isPassing: false) { .removed(afterObeying: false) },
    exchange("removed after", isPassing: false) { .removed(afterObeying: true) },
    exchange("put back, before") { .interrupted(afterObeying: false) },
    exchange("put back, after") { .interrupted(afterObeying: true) },
  ]

  private static let tears = [true, false].flatMap { putBack in
    (Exhaustive.isAsked ? Array(0...15) : [0, 1, 2, 3, 4, 5, 7, 9, 15]).map { bytes in
      FaultKind(
        name: putBack ? "torn write, put back" : "torn write", place: .programming,
        isPassing: putBack
      ) { place, plan, _ in
        plan.eepromWrites = [(.at(place), .torn(afterBytes: bytes, putBack: putBack))]
      }
    }
  }

  static let strangers = [
    FaultKind(name: "another tag instead", place: .exchange, isPassing: false) { place, plan, tag in
      plan.exchanges = [(.at(place), .swapped(for: tag))]
    },
    FaultKind(name: "another tag beside it", place: .exchange, isPassing: false) {
      place, plan, tag in plan.exchanges = [(.at(place), .joined(by: tag))]
    },
  ]

  private static let frames = DirectLink.Fault.Kind.allCases.map { kind in
    let isPassing = [.commandLost, .answerLost, .answerDamaged].contains(kind)
    return FaultKind(
      name: "host frame: \(kind)", place: .command, isPassing: isPassing, arm: { _, _, _ in },
      host: kind)
  }
}
