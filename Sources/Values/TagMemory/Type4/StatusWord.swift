import Bytes

/// SW1 SW2, the last two bytes of an answer to an APDU (ISO/IEC 7816-4, 5.6; DESFire and NTAG 424
/// DNA: 91h and a code).
public struct StatusWord: Hashable, Sendable {
  /// The first byte, SW1.
  public let sw1: UInt8
  /// The second byte, SW2.
  public let sw2: UInt8

  /// Takes SW1 and SW2.
  public init(_ sw1: UInt8, _ sw2: UInt8) { (self.sw1, self.sw2) = (sw1, sw2) }

  /// As in specifications: `6A82`.
  package var code: String { Hex.string([sw1, sw2]).uppercased() }

  /// SW1 in the high byte.
  package var value: UInt16 { UInt16(sw1) << 8 | UInt16(sw2) }

  /// The command was carried out: 9000, 61xx (more bytes wait), 9100, 91AF (another frame follows).
  public var isGood: Bool { sw1 == 0x61 || [0x9000, 0x9100, 0x91AF].contains(value) }

  /// How many more bytes GET RESPONSE fetches (61xx; 00 is 256); nil for any other status.
  package var waitingLength: Int? { sw1 == 0x61 ? (sw2 == 0 ? 0x100 : Int(sw2)) : nil }

  /// The Le with which the card wants the command again (6Cxx; 00 is 256); nil for any other
  /// status.
  package var wantedLength: Int? { sw1 == 0x6C ? (sw2 == 0 ? 0x100 : Int(sw2)) : nil }

  /// By the whole word.
  private static let words: [UInt16: String] = [
    0x9000: "success", 0x6281: "part of the data may be corrupted",
    0x6282: "end of file reached before Le bytes", 0x6283: "selected file deactivated",
    0x6285: "selected file terminated", 0x6300: "verification failed",
    0x6581: "memory failure", 0x6700: "wrong length", 0x6881: "logical channel not supported",
    0x6882: "secure messaging not supported", 0x6883: "last command of the chain expected",
    0x6884: "command chaining not supported", 0x6981: "command does not fit the file's structure",
    0x6982: "security status not satisfied", 0x6983: "authentication method blocked",
    0x6984: "reference data not usable", 0x6985: "conditions of use not satisfied",
    0x6986: "command not allowed: no file is selected", 0x6987: "secure messaging data missing",
    0x6988: "secure messaging data incorrect", 0x6A80: "incorrect data in the command",
    0x6A81: "function not supported", 0x6A82: "file or application not found",
    0x6A83: "record not found", 0x6A84: "not enough memory in the file",
    0x6A85: "Lc does not agree with the data's structure", 0x6A86: "incorrect P1 or P2",
    0x6A87: "Lc does not agree with P1 and P2", 0x6A88: "reference data not found",
    0x6A89: "file exists already", 0x6A8A: "application name exists already",
    0x6B00: "wrong P1 or P2: offset outside the file", 0x6D00: "instruction not supported",
    0x6E00: "class not supported", 0x6F00: "error without a precise reason",
    // MIFARE DESFire and NTAG 424 DNA (NT4H2421Gx, 10.4).
    0x9100: "success", 0x910C: "no change", 0x910E: "out of memory",
    0x911C: "illegal command code", 0x911E: "integrity error",
    0x9140: "no such key", 0x917E: "wrong length", 0x919D: "permission denied",
    0x919E: "parameter error", 0x91A0: "application not found",
    0x91AD: "authentication delayed: try again later", 0x91AE: "authentication error",
    0x91AF: "another frame follows", 0x91BE: "outside the file or its limits",
    0x91CA: "previous command not complete", 0x91CD: "application disabled",
    0x91CE: "too many applications", 0x91DE: "file or application exists already",
    0x91EE: "memory error", 0x91F0: "file not found", 0x91F1: "file's integrity error",
  ]

  /// By SW1 alone.
  private static let firstBytes: [UInt8: String] = [
    0x62: "warning, memory unchanged", 0x63: "warning, memory changed",
    0x64: "execution error, memory unchanged", 0x65: "execution error, memory changed",
    0x66: "security error", 0x68: "function of the class byte not supported",
    0x69: "command not allowed", 0x6A: "wrong parameters", 0x91: "error of the card's own",
  ]
}

extension StatusWord: CustomStringConvertible {
  /// In words; "unknown status" where no table has it.
  public var description: String {
    if let waitingLength { return "success, \(waitingLength) more bytes wait" }
    if let wantedLength { return "wrong Le, the card has \(wantedLength) bytes" }
    if sw1 == 0x63, sw2 & 0xF0 == 0xC0 {
      return "verification failed, \(sw2 & 0x0F) tries are left"
    }
    return Self.words[value] ?? Self.firstBytes[sw1] ?? "unknown status"
  }
}

/// A card answers this to an APDU.
public struct ResponseAPDU: Hashable, Sendable {
  /// The card sent these bytes before the status word.
  public let data: [UInt8]
  /// How the command ended.
  public let status: StatusWord

  /// Takes both parts of an answer.
  public init(data: [UInt8], status: StatusWord) { (self.data, self.status) = (data, status) }

  /// Reads an answer; nil when it is shorter than its status.
  public init?(parsing bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    self.init(
      data: Array(bytes.dropLast(2)),
      status: StatusWord(bytes[bytes.count - 2], bytes[bytes.count - 1]))
  }
}
