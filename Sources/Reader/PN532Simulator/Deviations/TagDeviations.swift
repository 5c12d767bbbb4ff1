/// How a virtual tag differs from its data sheet. Default: not at all.
package struct TagDeviations: Hashable, Sendable {
  /// HLTA sends it to IDLE, not to HALT: the next REQA finds it again.
  package var ignoresHalt = false
  /// It does not know FAST_READ.
  package var lacksFastRead = false
  /// How long it programs a page or a block; nil: as its product does.
  package var programmingTime: Duration?
  /// The SAK that it answers with; nil: its product's. With bit 5 set (28h, 38h) it is a smart card
  /// that also talks MIFARE: it answers RATS, and every APDU with 6E00h.
  package var sak: UInt8?
  /// Another UID (08h and three bytes) after every loss of power.
  package var hasRandomUID = false
  /// How many rows of its memory there are. Writes to the others are acknowledged and lost. Nil:
  /// all.
  package var rowCount: Int?
  /// Bits of the EEPROM that never change.
  package var stuckBits: [StuckBit] = []

  /// What it was programming when it lost its power holds bytes that nobody has written.
  package var scramblesTorn = false

  /// An Ultralight or NTAG takes WRITE of pages 0 and 1, a copy whose UID can be changed.
  package var takesUID = false
  /// Any password is right.
  package var takesAnyPassword = false
  /// READ of pages some of which a password protects is refused, not answered with page 0 instead.
  package var refusesEdge = false
  /// When a change of AUTH0 and its companions counts on an Ultralight or NTAG.
  package var protectionHolds = ProtectionStart.now
  /// A mirror of UID and counter that would leave the user memory still shows what of it fits.
  package var judgesMirrorsApart = false
  /// It does not answer RATS, whatever its SAK says.
  package var ignoresRATS = false
  /// Behind a SAK with bit 5 there is no MIFARE Classic that answers without RATS.
  package var wantsRATS = false
  /// After each such number of losses of power the tag answers nothing until the next one; 0:
  /// never.
  package var missesEach = 0

  /// As the data sheet says.
  package init() {}
}

/// A bit of an EEPROM that takes one value only, whatever is programmed. It says nothing until its
/// byte is programmed.
package struct StuckBit: Hashable, Sendable {
  /// Offset into the memory, in bytes.
  package var address: Int
  /// 0 to 7, 0 the lowest.
  package var bit: Int
  /// 0 or 1.
  package var value: UInt8

  package init(address: Int, bit: Int, value: UInt8) {
    (self.address, self.bit, self.value) = (address, bit, value)
  }

  /// `byte` with this bit in it.
  func applied(to byte: UInt8) -> UInt8 {
    value == 0 ? byte & ~(1 << UInt8(bit)) : byte | 1 << UInt8(bit)
  }
}
