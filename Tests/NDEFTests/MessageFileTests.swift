import NDEF
import Testing

@Suite("Files that are no message")
struct MessageFileTests {
  private static let message: [UInt8] =
    [0xD1, 0x01, 0x0D, 0x55, 0x04] + Array("example.com/".utf8)

  @Test("are named for what they are")
  func named() throws {
    let message = Self.message
    let count = UInt8(message.count)
    for (bytes, word) in [
      ([3, count] + message + [0xFE], "first 2 bytes"), ([3, count] + message, "first 2 bytes"),
      ([3, 0xFF, 0, count] + message + [0xFE, 0, 0], "first 4 bytes"),
      ([0, 0, 3, count] + message + [0xFE], "first 4 bytes"),
      ([1, 3, 0xA0, 0x0C, 0x34, 3, count] + message + [0xFE], "first 7 bytes"),
      ([3, 0, 0xFE], "TLVs"), ([0, count] + message, "Type 4"), ([], "empty"),
      (Array("d1 01 0d 55 04 65".utf8), "hexadecimal"), (Array("D1010D5504\n".utf8), "hexadecimal"),
      ([0xFF, 0xFE] + "D1 01".utf8.flatMap { [$0, 0] }, "UTF-16"),
      (Array("Filetype: Flipper NFC device\n".utf8), "dump"),
    ] as [([UInt8], String)] {
      let mistake = try #require(MessageFile.mistake(in: bytes))
      #expect(mistake.contains(word), "\(bytes): \(mistake)")
    }
  }

  @Test("are not guessed at")
  func unknown() {
    for bytes in [[3, 200, 1], [1, 2, 3, 4], [0xD1, 1], Array("hello".utf8), [3]] as [[UInt8]] {
      #expect(MessageFile.mistake(in: bytes) == nil)
    }
  }
}
