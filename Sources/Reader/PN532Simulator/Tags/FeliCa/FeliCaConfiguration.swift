/// MC, the memory configuration block of a FeliCa Lite or Lite-S (User's Manual, MC_SP_REG_ALL_RW
/// and MC_ALL).
///
///     byte    meaning
///     0–1     block n (0 to 13, 14 is REG) can be written; a bit that is cleared stays cleared.
///             Bit 15: these two bytes and bytes 6 to 12 can be written
///     2       FFh: bytes 2 to 5 and the other system blocks can be written
///     3       bit 0: the tag answers to the NDEF system code 12FCh
///     5       Lite-S, bit 0: CK and CKV can be written with a MAC permanently
///     6–7     Lite-S: reading block n needs an authentication; a bit that is set stays set, as in
///             8 to 11
///     8–9     Lite-S: writing block n needs an authentication
///     10–11   Lite-S: writing block n needs a MAC
///     12      Lite-S, bit 0: writing STATE needs a MAC
struct FeliCaConfiguration {
  /// 16 bytes.
  let bytes: [UInt8]

  /// Where a mask of 15 blocks starts.
  enum Mask: Int {
    case writable = 0
    case readNeedsAuthentication = 6
    case writeNeedsAuthentication = 8
    case writeNeedsMAC = 10
  }

  var isOpen: Bool { bytes[2] == 0xFF }
  var rightsAreOpen: Bool { bytes[1] & 0x80 != 0 }
  var servesNDEF: Bool { bytes[3] & 0x01 != 0 }
  var keyTakesMAC: Bool { bytes[5] & 0x01 != 0 }
  var stateNeedsMAC: Bool { bytes[12] & 0x01 != 0 }

  /// Returns whether the mask's bit for user block `block` (0 to 14) is set.
  func isSet(_ mask: Mask, _ block: Int) -> Bool {
    bytes[mask.rawValue + block / 8] >> UInt8(block % 8) & 1 == 1
  }

  /// What the chip stores when `new` is written: bits that go one way only keep their way, and
  /// closed bytes stay.
  func replaced(by new: [UInt8], on silicon: FeliCaLiteSilicon) -> [UInt8] {
    var result = bytes
    if isOpen { result.replaceSubrange(2...5, with: new[2...5]) }
    guard rightsAreOpen else { return result }
    for index in 0...1 { result[index] &= new[index] }
    guard silicon.authenticatesWrites else { return result }
    for index in 6...12 { result[index] |= new[index] }
    return result
  }
}
