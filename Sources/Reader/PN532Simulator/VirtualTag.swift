/// A tag in the simulated field, as the air interface sees it.
///
/// The chip runs REQA, anticollision and select; the tag answers frames while it is active. A tag
/// knows nothing of the host, of the chip's commands or of time.
package protocol VirtualTag: AnyObject {
  /// The product's name as `--reader sim:…` spells it: `ntag213`.
  var product: String { get }
  /// Answer to request, high byte first as the chip reports it.
  var atqa: UInt16 { get }
  /// Select acknowledge.
  var sak: UInt8 { get }
  /// This select acknowledge ends each cascade level before the last one: bit 3 says that the UID
  /// is not complete. Default: nothing else.
  var sakBeforeLast: UInt8 { get }
  /// 4, 7 or 10 bytes.
  var uid: [UInt8] { get }
  /// Answer to select without its length byte; empty for tags that know no RATS. A tag that has one
  /// is an ISO-DEP card: the chip activates it, runs the block protocol, and `receive` takes and
  /// gives whole APDUs.
  var ats: [UInt8] { get }
  /// The modulation the tag answers to. Type F tags are found by `poll`, type B tags by `requestB`;
  /// their `atqa`, `sak` and `ats` say nothing. A Topaz answers REQA with its `atqa`, and then
  /// commands at once. Default: type A.
  var technology: TagTechnology { get }
  /// A type F tag's answer to polling, from the response code on: 01h, IDm, PMm and, for request
  /// code 1, the system code (JIS X 6319-4). Nil when the tag does not serve `systemCode` (FFh
  /// bytes match any), and always for type A. `receive` takes and gives frames with their length
  /// byte first.
  func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]?
  /// A type B tag's answer to REQB or WUPB (ISO/IEC 14443-3, 7.9): 50h, PUPI, application data and
  /// protocol info, 12 bytes. Nil when the application family is not its own, and always for
  /// others. `receive` takes and gives whole APDUs, as of an ISO-DEP card.
  func requestB(family: UInt8) -> [UInt8]?
  /// What survives without power, and the only way to change it.
  var eeprom: EEPROM { get }
  /// Where the tag stands between IDLE, ACTIVE and HALT (ISO/IEC 14443-3, 6.2).
  var state: TagState { get }

  /// Is true if it is a MIFARE Classic, whatever its SAK says. Default: by the SAK.
  var isClassic: Bool { get }
  /// Is true if it takes bare frames though it has an ATS. Default: where there is none.
  var obeysWithoutRATS: Bool { get }
  /// Is true if it has started in the field. Default: always.
  var isAwake: Bool { get }
  /// How long one programming cycle takes; nil: as the time model says. Default: nil.
  var programmingTime: Duration? { get }
  /// How often an ISO-DEP card asks for more time, S(WTX), after each command that programs its
  /// memory, beside what the programming itself needs; each time it lets FWT pass. Default: 0.
  var waitExtensions: Int { get }

  /// The field is gone: everything volatile is forgotten.
  func powerOff()
  /// It heard what it cannot understand and is IDLE again, with power. Default: as without power.
  func returnToIdle()
  /// It has answered RATS. Default: nothing.
  func enterProtocol()
  /// Anticollision has ended on this tag.
  func select()
  /// HLTA, or the chip put the tag to sleep.
  func halt()
  /// Takes one frame (CRC removed) while active. A refusal moves the tag to IDLE or HALT by itself.
  func receive(_ frame: [UInt8]) -> TagAnswer
  /// Takes a frame whose CRC is wrong while active. Default: falls back without an answer.
  func receiveDamaged() -> TagAnswer
  /// Both passes of MIFARE Classic authentication: `command` is 60h or 61h, `uid` the four bytes
  /// the host gave. False means silence from now on until the tag is selected again. Other tags:
  /// always false.
  func authenticate(command: UInt8, block: UInt8, key: [UInt8], uid: [UInt8]) -> Bool
}

extension VirtualTag {
  package var technology: TagTechnology { .a }
  package func poll(systemCode: UInt16, requestCode: UInt8) -> [UInt8]? { nil }
  package func requestB(family: UInt8) -> [UInt8]? { nil }
  package var sakBeforeLast: UInt8 { 0x04 }
  package var isClassic: Bool { technology == .a && sak & 0x08 != 0 }
  package var obeysWithoutRATS: Bool { ats.isEmpty }
  package var isAwake: Bool { true }
  package var programmingTime: Duration? { nil }
  package var waitExtensions: Int { 0 }
  package func returnToIdle() { powerOff() }
  package func enterProtocol() {}
  package func receiveDamaged() -> TagAnswer {
    returnToIdle()
    return .silence
  }
}

/// The modulations the virtual tags know.
package enum TagTechnology: Hashable, Sendable {
  /// ISO/IEC 14443 type A, 106 kbit/s.
  case a
  /// ISO/IEC 14443 type B, 106 kbit/s.
  case b
  /// FeliCa, 212 and 424 kbit/s.
  case f
  /// Topaz and Jewel (NFC Forum Type 1 Tag): type A modulation without anticollision.
  case topaz
}

/// What a tag sends back.
package enum TagAnswer: Hashable, Sendable {
  /// Bytes, followed by a CRC on the air.
  case data([UInt8])
  /// Four bits without CRC: Ah is ACK, everything else a NAK.
  case nibble(UInt8)
  /// Nothing.
  case silence
}

/// The states that matter to a reader (ISO/IEC 14443-3, 6.2).
package enum TagState: Hashable, Sendable {
  /// Powered, answers REQA and WUPA.
  case idle
  /// Selected: answers commands.
  case active
  /// Answers WUPA only.
  case halt
}
