import Bytes
import Testing

@Suite("Hexadecimal text")
struct HexTests {
  @Test("every byte reads back from its two digits, in either case")
  func everyByte() throws {
    for byte in UInt8.min...UInt8.max {
      let text = Hex.byte(byte)
      #expect(text.utf8.count == 2 && text == text.lowercased())
      #expect(try Hex.bytes(text) == [byte])
      #expect(try Hex.bytes(text.uppercased()) == [byte])
    }
  }

  @Test(
    "is read with spaces, colons or dashes between bytes and one 0x in front",
    arguments: ["04a1b2", "04 A1 B2", "04:a1:b2", "04-A1-B2", "0x04a1b2", "0X04 a1b2", " 04a1b2 "])
  func separators(text: String) throws {
    #expect(try Hex.bytes(text) == [0x04, 0xA1, 0xB2])
  }

  @Test(
    "names what keeps a text from being read",
    arguments: [
      ("04a", HexError.oddDigitCount), ("0 4a1", .splitByte), ("04g1", .notADigit("g")),
      ("0x0x04", .notADigit("x")), ("\u{FF10}4", .notADigit("\u{FF10}")),
      ("04\n", .notADigit("\n")),
    ])
  func refused(text: String, error: HexError) {
    #expect(throws: error) { try Hex.bytes(text) }
  }

  @Test("of nothing is nothing")
  func empty() throws {
    #expect(Hex.string([]) == "")
    #expect(try Hex.bytes("") == [])
  }

  @Test("printable ASCII stands for itself, everything else as a dot")
  func ascii() {
    #expect(Hex.ascii(Array("nfc prog~".utf8) + [0x00, 0x1F, 0x7F, 0xC3]) == "nfc prog~....")
    #expect(Hex.ascii([]) == "")
  }
}
