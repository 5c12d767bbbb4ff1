import PN532

/// A reader that holds its field to a board that plays a tag, as that board's chip hears it. Used
/// while the board's lock is held.
package protocol Initiator: AnyObject {
  /// Is true if its field is on.
  var hasField: Bool { get }

  /// The chip shows `face`; the first frame behind the selection, RATS, where somebody selects it
  /// now.
  func select(_ face: TargetFace) -> [UInt8]?

  /// The next command to the selected card.
  func next() -> InitiatorAct

  /// Takes the card's answer; the status with which that ends for the chip.
  func take(_ answer: [UInt8]) -> StatusCode

  /// The chip answers no more: its host wants something else of it.
  func lose()

  /// The chip, which nobody has selected, shows itself no more. Default: nothing.
  func hide()
}

extension Initiator {
  package func hide() {}
}

/// What a reader does with a card that it has selected.
package enum InitiatorAct: Hashable, Sendable {
  case command([UInt8])
  /// Nothing yet.
  case waits
  /// It has gone, or let go of the card: what the chip reports then.
  case left(StatusCode)
}
