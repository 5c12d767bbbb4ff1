/// Where a type A tag stands, and where an error sends it (ISO/IEC 14443-3, 6.2).
///
/// A tag that was woken from HALT goes back there after an error, all others go back to IDLE.
struct Activation {
  private(set) var state = TagState.idle
  private var wokeFromHalt = false

  mutating func select() {
    if state != .active { wokeFromHalt = state == .halt }
    state = .active
  }

  mutating func halt() { state = .halt }

  /// After a NAK, an unknown command or a failed authentication.
  mutating func fallBack() { state = wokeFromHalt ? .halt : .idle }
}

/// The 4-bit answers (MF1S50YYX_V1, 9.3; NTAG213/215/216, 9.3).
enum Nibble {
  static let ack: UInt8 = 0xA
}
