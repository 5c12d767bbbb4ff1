// The commands that reach a tag, UM0701-02, 7.3.5 to 7.3.13.
extension Command {
  /// Activates up to `limit` (1 or 2) type A tags, or only the one that has `uid` (4, 7 or 10
  /// bytes) (7.3.5). A tag in HALT answers only when it is asked for by its UID.
  package static func listTypeA(limit: UInt8 = 1, uid: [UInt8] = []) -> Command {
    Command(.inListPassiveTarget, [limit, 0x00] + cascade(uid))
  }

  /// Polls for up to `limit` (1 or 2) FeliCa tags at 212 kbit/s, or at 424 with `fast`; FFFFh is
  /// any system code, 12FCh NDEF (7.3.5). Each tag answers in one of `slots` time slots (1, 2, 4, 8
  /// or 16), which it chooses by chance: in one slot two tags destroy each other's answer (JIS X
  /// 6319-4).
  package static func listFeliCa(
    limit: UInt8 = 1, systemCode: UInt16 = 0xFFFF, slots: UInt8 = 1, fast: Bool = false
  ) -> Command {
    let code = [UInt8(systemCode >> 8), UInt8(systemCode & 0xFF)]
    return Command(
      .inListPassiveTarget, [limit, fast ? 0x02 : 0x01, 0x00] + code + [0x01, slots - 1])
  }

  /// Asks for up to `limit` (1 or 2) type B tags of any application family, and selects them by
  /// ATTRIB (7.3.5).
  package static func listTypeB(limit: UInt8 = 1) -> Command {
    Command(.inListPassiveTarget, [limit, 0x03, 0x00])
  }

  /// Asks for a Topaz or Jewel tag; the chip handles one (7.3.5).
  package static let listTopaz = Command(.inListPassiveTarget, [1, 0x04])

  /// Exchanges data with target `tg` as the chip understands it (7.3.8): MIFARE and Type 2 commands
  /// (60h and 61h authenticate), ISO-DEP blocks. `data` has at most 262 bytes.
  package static func inDataExchange(_ data: [UInt8], target tg: UInt8 = 1) -> Command {
    Command(.inDataExchange, [tg] + data)
  }

  /// Sends `data` as it stands, CRC as TxMode and RxMode say (7.3.9). At most 263 bytes.
  package static func inCommunicateThru(_ data: [UInt8]) -> Command {
    Command(.inCommunicateThru, data)
  }

  /// Wakes and selects target `tg` again (7.3.12).
  package static func inSelect(_ tg: UInt8 = 1) -> Command { Command(.inSelect, [tg]) }

  /// Puts target `tg` to sleep, 0 = all; they stay known (7.3.10).
  package static func inDeselect(_ tg: UInt8 = 0) -> Command { Command(.inDeselect, [tg]) }

  /// Puts target `tg` to sleep and forgets it, 0 = all (7.3.11).
  package static func inRelease(_ tg: UInt8 = 0) -> Command { Command(.inRelease, [tg]) }

  /// A UID as anticollision spells it: the cascade tag 88h before each part that is not the last
  /// (ISO/IEC 14443-3, 6.5.4).
  static func cascade(_ uid: [UInt8]) -> [UInt8] {
    switch uid.count {
    case 7: [0x88] + uid
    case 10: [0x88] + uid.prefix(3) + [0x88] + uid.dropFirst(3)
    default: uid
    }
  }
}
