/// What of a configuration no chip is delivered with (NTAG213/215/216, 8.5.7; NTAG210/212, 8.5.6;
/// MF0ULX1, 8.5.6).
extension Configuration {
  /// A byte each; AUTH0 and PROT, which are what a password protects, aside.
  func oddities(at place: ConfigurationPages) -> [Type2Oddity] {
    let delivered = Configuration(factory: style).bytes
    return bytes.indices.compactMap { index in
      var (found, right) = (bytes[index], delivered[index])
      switch index {
      // What the chip was delivered with is not known of these bits.
      case 0 where style == .ntag213F:
        (found, right) = (found & ~style.foreignBits, right & ~style.foreignBits)
      // 00 where the antenna's capacity is 17 pF, 04 where it is 50 pF (MF0ULX1, table 8).
      case 0 where style == .ultralightEV1 && found == 0x04: return nil
      case 3: return nil
      case 4: (found, right) = (found & 0x7F, right & 0x7F)
      // Chips of either kind have been delivered.
      case 5 where style.hasReadCounter && found == 0x05: return nil
      default: break
      }
      guard found != right else { return nil }
      return .configuration(
        index < Page.byteCount ? place.cfg0 : place.cfg1, byte: index % Page.byteCount,
        found: bytes[index], delivered: delivered[index], meaning: meaning(of: index))
    }
  }

  /// What it does to the tag that byte `index` differs; nil where it does nothing, or nothing that
  /// is known.
  private func meaning(of index: Int) -> String? {
    switch index {
    case 0 where style == .ultralightAES:
      let meanings =
        (hidesUID ? ["the tag shows a random UID"] : [])
        + (demandsMACs ? ["the tag demands secure messaging from whoever proves a key"] : [])
      return meanings.isEmpty ? nil : meanings.joined(separator: ", ")
    case 6 where style == .ultralightAES, 7 where style == .ultralightAES && bytes[6] == 0:
      return attemptLimit == 0
        ? nil
        : attemptLimit == 1
          ? "one wrong key locks the tag permanently"
          : "\(attemptLimit) wrong keys lock the tag permanently"
    case 0, 2:
      return mirror.map { "\($0.content.byteCount) characters are shown from \($0.page) on" }
    case 4:
      var meanings: [String] = []
      if isLocked { meanings.append("the configuration is permanently frozen") }
      if attemptLimit != 0, style != .ultralightAES {
        meanings.append(
          attemptLimit == 1
            ? "one wrong password locks the tag permanently"
            : "\(attemptLimit) wrong passwords in a row lock the tag permanently")
      }
      if style == .ultralightAES, bytes[4] & 0x0C != 0x0C {
        meanings.append("counter 2 needs the key")
      }
      if countsReads { meanings.append("the tag counts how often it is read") }
      return meanings.isEmpty ? nil : meanings.joined(separator: ", ")
    default: return nil
    }
  }

  /// Without the bits that have no meaning on this chip, or none as the others stand: a mirror that
  /// is half switched on, or does not fit into `user`. Nobody can have meant them.
  package func withoutInertBits(user: ClosedRange<Page>) -> Configuration {
    if style == .ultralightAES { return self }
    var clean = self
    if !(mirror?.fits(user) ?? false) {
      clean.setBits(0xF0, to: 0, inByte: 0)
      clean.setBits(0xFF, to: 0, inByte: 2)
    }
    let inert: UInt8 = style.hasReadCounter ? 0x0B : style == .ntag210 ? 0xCB : 0xFB
    clean.setBits(inert & ~style.foreignBits, to: 0, inByte: 0)
    clean.setBits(style.hasReadCounter ? 0x20 : 0x38, to: 0, inByte: 4)
    if style.hasReadCounter, bytes[5] != 0 { clean.setBits(0xFF, to: 0x05, inByte: 5) }
    return clean
  }
}
