/// What an Ultralight AES alone has in its configuration (`Style.ultralightAES`).
extension Configuration {
  /// SEC_MSG_ACT: once a key is proven, the tag takes commands only with a CMAC. False on other
  /// chips.
  package var demandsMACs: Bool { style == .ultralightAES && bytes[0] & 0x02 != 0 }

  /// RID_ACT: the tag shows another UID each time it is selected. False on other chips.
  package var hidesUID: Bool { style == .ultralightAES && bytes[0] & 0x01 != 0 }

  /// AUTH_LIM, ten bits. Wrong keys are counted beyond power-off, and a right one takes 16 from the
  /// count (the unleashed firmware's quotation of the data sheet, 8.6.5).
  var attemptLimitAES: Int { Int(bytes[6]) | Int(bytes[7] & 0x03) << 8 }

  /// With a page as delivered in place of CFG0 where that demands what nobody asks for and has bits
  /// without a meaning besides: it lost power while it was written.
  var repairedAES: Configuration {
    let delivered = Configuration(factory: style).bytes
    let isTorn = bytes[0] & ~0x03 != 0 || bytes[1] != 0 || bytes[2] != 0
    guard isTorn, demandsMACs || hidesUID else { return self }
    let repaired = delivered[..<4] + bytes[4...]
    return (try? Configuration(parsing: repaired, style: style)) ?? self
  }
}
