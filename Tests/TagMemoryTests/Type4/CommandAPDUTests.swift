import Bytes
import TagMemory
import Testing

@Suite("Command APDUs, ISO/IEC 7816-4 5.1")
struct CommandAPDUTests {
  @Test(
    "every case is read and written back as it was",
    arguments: [
      ("00A40000", 0, nil, false), ("00B000000F", 0, 15, false), ("00B0000000", 0, 256, false),
      ("00A4000C02E103", 2, nil, false), ("00A4040007D276000085010100", 7, 256, false),
      ("00B00000000100", 0, 256, true), ("00B00000000000", 0, 65536, true),
      ("00D6000000000201AB", 2, nil, true), ("00D6000000000201AB0000", 2, 65536, true),
      ("00D6000000000201AB0010", 2, 16, true),
    ] as [(String, Int, Int?, Bool)])
  func cases(_ hex: String, _ count: Int, _ expected: Int?, _ isExtended: Bool) throws {
    let bytes = try Hex.bytes(hex)
    let apdu = try CommandAPDU(parsing: bytes)
    #expect(apdu.data.count == count)
    #expect(apdu.expectedLength == expected)
    #expect(apdu.isExtended == isExtended)
    #expect(apdu.serialize() == bytes)
  }

  @Test("lengths beyond a byte are written with two")
  func long() throws {
    let data = [UInt8](repeating: 0x5A, count: 300)
    let apdu = CommandAPDU(0x00, 0xD6, 0, 0, data: data)
    #expect(apdu.serialize().prefix(7) == [0x00, 0xD6, 0, 0, 0, 0x01, 0x2C])
    #expect(try CommandAPDU(parsing: apdu.serialize()) == apdu)
  }

  @Test(
    "what is no APDU is named",
    arguments: [
      ("", APDUError.tooShort(0)), ("00A400", .tooShort(3)), ("00B000000001", .lengthCutShort),
      ("00D600000000005A", .noData),
      // From a tutorial: Lc says 4, eight bytes follow.
      ("00A5030004B000000033434561", .wrongLength(declared: 4, present: 8)),
      ("00A4000C05E103", .wrongLength(declared: 5, present: 2)),
      ("00D60000000002AB", .wrongLength(declared: 2, present: 1)),
    ])
  func wrong(_ hex: String, _ error: APDUError) throws {
    let bytes = try Hex.bytes(hex)
    #expect(throws: error) { try CommandAPDU(parsing: bytes) }
  }

  @Test("any bytes are read or refused, and what is read is written back")
  func random() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = (0..<count).map { _ in
        Bool.random(using: &generator) ? 0 : UInt8.random(in: 0...12, using: &generator)
      }
      guard let apdu = try? CommandAPDU(parsing: bytes) else { continue }
      #expect(apdu.serialize() == bytes)
    }
  }

  @Test(
    "status words are told in words",
    arguments: [
      (0x9000, "success", true), (0x6A82, "file or application not found", false),
      (0x6110, "success, 16 more bytes wait", true),
      (0x6C00, "wrong Le, the card has 256 bytes", false),
      (0x63C2, "verification failed, 2 tries are left", false),
      (0x91AE, "authentication error", false),
      (0x91AF, "another frame follows", true), (0x6A99, "wrong parameters", false),
      (0x1234, "unknown status", false),
    ])
  func status(_ value: Int, _ words: String, _ isGood: Bool) {
    let status = StatusWord(UInt8(value >> 8), UInt8(value & 0xFF))
    #expect("\(status)" == words)
    #expect(status.isGood == isGood)
  }
}
