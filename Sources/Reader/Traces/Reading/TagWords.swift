import Bytes
import PN532
import TagMemory

/// Commands of tags, and what tags answer, in words.
enum TagWords {
  /// A frame without CRC.
  static func meaning(_ frame: [UInt8?], _ tag: SelectedTag) -> String {
    let bytes = frame.map { $0 ?? 0 }
    if bytes.isEmpty { return "the rest of the answer" }
    if let name = feliCa(bytes) { return name }
    if tag.isInProtocol { return apdu(bytes) }
    let unit = tag.isClassic ? "block" : "page"
    func data(_ start: Int) -> String { MaskedBytes.text(Array(frame.dropFirst(start))) }
    switch (bytes[0], bytes.count) {
    case (0x60, 12), (0x61, 12):
      return "AUTH with key \(bytes[0] == 0x60 ? "A"  : "B"), block \(bytes[1])"
    case (0x30, 2): return "READ \(unit) \(bytes[1])"
    case (0x3A, 3): return "FAST_READ pages \(bytes[1]) to \(bytes[2])"
    case (0xA2, 6): return "WRITE page \(bytes[1]): \(data(2))"
    case (0xA0, 18): return "WRITE block \(bytes[1]): \(data(2))"
    case (0x1B, 5): return "PWD_AUTH"
    case (0x60, 1): return "GET_VERSION"
    case (0x39, 2): return "READ_CNT \(bytes[1])"
    case (0x3C, 2): return "READ_SIG"
    case (0x1A, 2): return "AUTHENTICATE, first part"
    case (0xAF, _): return "AUTHENTICATE, second part"
    case (0xC2, 2...): return "SECTOR_SELECT, or RESTORE"
    case (0x50, 2): return "HALT"
    case (0x26, 1): return "REQA"
    case (0x52, 1): return "WUPA"
    default: return "command \(Hex.byte(bytes[0]).uppercased())h"
    }
  }

  private static func feliCa(_ bytes: [UInt8]) -> String? {
    guard bytes.count > 2, Int(bytes[0]) == bytes.count else { return nil }
    switch bytes[1] {
    case 0x00 where bytes.count == 6: return "Polling"
    case 0x04 where bytes.count > 9: return "Request Response"
    case 0x06 where bytes.count > 9: return "Read Without Encryption"
    case 0x08 where bytes.count > 9: return "Write Without Encryption"
    case 0x0C where bytes.count > 9: return "Request System Code"
    default: return nil
    }
  }

  /// By class and instruction (ISO/IEC 7816-4; NT4H2421Gx, 10).
  private static let instructions: [UInt16: String] = [
    0x00A4: "SELECT", 0x00B0: "READ BINARY", 0x00D6: "UPDATE BINARY", 0x0020: "VERIFY",
    0x00C0: "GET RESPONSE", 0x0084: "GET CHALLENGE", 0x9060: "GetVersion",
    0x905A: "SelectApplication",
    0x9071: "AuthenticateEV2First", 0x9077: "AuthenticateEV2NonFirst", 0x90AA: "AuthenticateAES",
    0x901A: "AuthenticateISO", 0x900A: "Authenticate", 0x90AF: "AdditionalFrame",
    0x90F5: "GetFileSettings", 0x905F: "ChangeFileSettings", 0x90C4: "ChangeKey",
    0x90AD: "ReadData", 0x90BD: "ReadData", 0x908D: "WriteData", 0x903D: "WriteData",
    0x90CA: "CreateApplication", 0x90CD: "CreateStdDataFile", 0x906A: "GetApplicationIDs",
    0x9045: "GetKeySettings", 0x9064: "GetKeyVersion", 0x903C: "Read_Sig", 0x9051: "GetCardUID",
    0x90F6: "GetFileCounters", 0x905C: "SetConfiguration", 0x906E: "FreeMemory",
    0x90FC: "FormatPICC",
  ]

  private static func apdu(_ bytes: [UInt8]) -> String {
    guard bytes.count >= 4 else { return "command \(Hex.string(bytes))" }
    let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    let name =
      instructions[code] ?? "APDU \(Hex.string(bytes[0...1], separator: " ").uppercased())"
    return bytes[0] == 0x00 ? "\(name) \(Hex.string(bytes[2...3]))" : name
  }

  /// Returns what the tag sent, the chip's status gone.
  static func answer(
    _ data: [UInt8?], to frame: [UInt8?], _ tag: SelectedTag
  ) -> (text: String, isError: Bool, odd: String?) {
    let asked = frame.map { $0 ?? 0 }
    let plain = data.compactMap(\.self)
    if feliCa(asked) != nil, plain.count == data.count,
      let status = FeliCaStatus(answer: Array(plain.dropFirst()))
    {
      return (status.isGood ? "done" : "\(status)", !status.isGood, nil)
    }
    if tag.isInProtocol, plain.count >= 2, plain.count == data.count {
      let status = StatusWord(plain[plain.count - 2], plain[plain.count - 1])
      let count = plain.count - 2
      let text = "\(status)" + (count > 0 ? ", \(counted(count, "byte"))" : "")
      return (text, !status.isGood, nil)
    }
    if [0x30, 0x3A].contains(asked.first), !tag.isInProtocol, data.isEmpty {
      return (
        "done, and no data", false, "a read that brought nothing: the tag may have refused it"
      )
    }
    if asked.first == 0x30, asked.count == 2, !tag.isInProtocol, data.count != 16 {
      return (counted(data.count, "byte"), false, "a READ brings 16 bytes")
    }
    return (data.isEmpty ? "done" : counted(data.count, "byte"), false, nil)
  }
}
