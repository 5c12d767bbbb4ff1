/// Where a type A tag stands, and where an error sends it (ISO/IEC 14443-3, 6.2).
///
/// A tag that was woken from HALT goes back there after an error, all others go back to IDLE.
package struct Activation {
  package private(set) var state = TagState.idle
  private var wokeFromHalt = false

  mutating func select() {
    if state != .active { wokeFromHalt = state == .halt }
    state = .active
  }

  mutating func halt() { state = .halt }

  /// After a NAK, an unknown command or a failed authentication.
  mutating func fallBack() { state = wokeFromHalt ? .halt : .idle }
}

/// A type A tag that keeps its state in an `Activation`, and forgets what a reader has opened
/// whenever it leaves it or is selected again.
package protocol ActivatedTag: VirtualTag {
  var activation: Activation { get set }
  /// Closes what is open: sessions, selected applications and files, commands in two parts.
  func forget()
}

extension ActivatedTag {
  package var state: TagState { activation.state }

  package func powerOff() { returnToIdle() }

  package func returnToIdle() {
    forget()
    activation = Activation()
  }

  package func select() {
    forget()
    activation.select()
  }

  package func halt() {
    forget()
    activation.halt()
  }

  /// After a NAK, an unknown command or a failed authentication.
  func fallBack() {
    forget()
    activation.fallBack()
  }

  /// It does not know the command, which sends it back.
  package func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool {
    if state == .active { fallBack() }
    return false
  }
}

/// The 4-bit answers (MF1S50YYX_V1, 9.3; NTAG213/215/216, 9.3).
enum Nibble {
  static let ack: UInt8 = 0xA
}
