import Bytes
import PN532
import TagMemory
import Testing

@testable import Readers

@Suite("APDUs and raw tag commands")
struct TransmitTests {
  /// An ISO-DEP card, as a look finds it.
  private static let card = "01 01 0344 20 07 04a1b2c3d4e5f6 06 75778102 80"

  private func reader(_ found: String, _ script: [(String, ScriptedLink.Answer)]) throws -> (
    TagReader, ScriptedLink
  ) {
    let link = ScriptedLink(setUp + [("4a0200", .bytes(found))] + script)
    let reader = TagReader(link: link)
    _ = try reader.select()
    return (reader, link)
  }

  @Test("6Cxx is followed by the right Le, 61xx by GET RESPONSE until all is there")
  func following() throws {
    let (reader, link) = try reader(
      Self.card,
      [
        ("4001 00b0000000", .bytes("00 6c04")), ("4001 00b0000004", .bytes("00 0102 6102")),
        ("4001 00c0000002", .bytes("00 0304 9000")),
      ])
    let apdu = CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 256)
    let response = try reader.transmit(apdu, following: true)
    #expect(response.data == [1, 2, 3, 4])
    #expect(response.status == StatusWord(0x90, 0x00))
    #expect(link.left.isEmpty)
  }

  @Test("nothing is followed unless that is asked for")
  func notFollowing() throws {
    let (reader, link) = try reader(Self.card, [("4001 00b0000000", .bytes("00 6c04"))])
    let apdu = CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 256)
    #expect(try reader.transmit(apdu, following: false).status.wantedLength == 4)
    #expect(link.left.isEmpty)
  }

  @Test("a card that announces more for ever is left")
  func endless() throws {
    let (reader, link) = try reader(Self.card, [])
    link.afterwards = { _ in .bytes("00 aa 6101") }
    let response = try reader.transmit(
      CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 1), following: true)
    #expect(response.status.waitingLength == 1)
    #expect(response.data.count < 1000)
  }

  @Test("a long answer that the chip hands out in parts is joined")
  func parts() throws {
    let (reader, link) = try reader(
      Self.card,
      [
        ("4001 00b00000000120", .bytes("40 0102")), ("4001", .bytes("40 03")),
        ("4001", .bytes("00 049000")),
      ])
    let apdu = CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 0x120)
    #expect(try reader.transmit(apdu, following: false).data == [1, 2, 3, 4])
    #expect(link.left.isEmpty && reader.counts.reads == 1)
  }

  @Test("an answer without a status is none")
  func short() throws {
    let (reader, _) = try reader(Self.card, [("4001 00b0000001", .bytes("00 90"))])
    #expect(throws: ReaderError.wrongAnswerLength(expected: 2, received: 1)) {
      try reader.transmit(CommandAPDU(0x00, 0xB0, 0, 0, expectedLength: 1), following: false)
    }
  }

  @Test(
    "a tag's command goes the way that the chip has for it",
    arguments: [
      ("3004", "4001 3004"), ("a20401020304", "4001 a20401020304"), ("3a0405", "42 3a0405"),
      ("60", "42 60"), ("1bffffffff", "42 1bffffffff"),
      ("6004ffffffffffff", "4001 6004ffffffffffff c3d4e5f6"),
    ])
  func ways(_ command: String, _ sent: String) throws {
    // The look left the tag in HALT, where InCommunicateThru does not reach it: it is selected
    // first.
    let selection = ("4a0100 8804a1b2c3d4e5f6", ScriptedLink.Answer.bytes(ntag))
    let isThrough = sent.hasPrefix("42")
    let (reader, link) = try reader(
      ntag, (isThrough ? [selection] : []) + [(sent, .bytes("00"))])
    _ = try reader.transceive(Hex.bytes(command))
    #expect(link.unexpected.isEmpty)
    #expect(link.left.isEmpty)
  }
}
