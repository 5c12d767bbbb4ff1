import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("Attribute block, NFC Forum Type 3 Tag 1.0, 6.1")
struct AttributeBlockTests {
  /// Bytes, then Nbr, Nbw, Nmaxb, WriteFlag, RWFlag, Ln.
  static let good: [(String, UInt8, UInt8, UInt16, UInt8, UInt8, Int)] = [
    ("10040100 0D000000 00000100 00000023", 4, 1, 13, 0, 1, 0),
    ("10040100 0D000000 00000100 00140037", 4, 1, 13, 0, 1, 20),
    ("10040100 0D000000 000F0100 00000032", 4, 1, 13, 0x0F, 1, 0),
    ("10040100 0D000000 00000000 00140036", 4, 1, 13, 0, 0, 20),
    ("100F0D01 00000000 00000100 0FF0012D", 15, 13, 256, 0, 1, 4080),
    ("11010100 01000000 00000100 00000015", 1, 1, 1, 0, 1, 0),
    ("1004010F FF000000 000001FF FFFF0421", 4, 1, 0x0FFF, 0, 1, 0xFF_FFFF),
  ]

  @Test("reads and writes each block byte for byte", arguments: good)
  func roundTrip(
    _ text: String, _ read: UInt8, _ write: UInt8, _ room: UInt16, _ flag: UInt8, _ access: UInt8,
    _ length: Int
  ) throws {
    let bytes = try Hex.bytes(text)
    let block = try AttributeBlock(parsing: bytes)
    #expect(block.serialize() == bytes)
    #expect([block.blocksPerRead, block.blocksPerWrite] == [read, write])
    #expect(block.messageBlockCount == room)
    #expect([block.writeFlag, block.accessFlag] == [flag, access])
    #expect(block.length == length)
  }

  @Test(
    "names what keeps a block from being one",
    arguments: [
      ("", AttributeError.size(0)), ("10", .size(1)),
      ("00000000 00000000 00000000 00000000", .blank),
      ("10040100 0D000000 00000100 00000024", .checksum(stored: 0x24, computed: 0x23)),
      ("10040100 0D000000 00000100 00000123", .checksum(stored: 0x123, computed: 0x23)),
      ("FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF", .checksum(stored: 0xFFFF, computed: 0x0DF2)),
      ("20040100 0D000000 00000100 00000033", .version(0x20)),
      ("00040100 0D000000 00000100 00000013", .version(0x00)),
    ])
  func broken(_ text: String, _ fault: AttributeError) throws {
    let bytes = try Hex.bytes(text)
    #expect(throws: fault) { try AttributeBlock(parsing: bytes) }
    #expect(!"\(fault)".isEmpty && !fault.code.isEmpty)
  }

  @Test("names what is odd about a block that can be read")
  func odd() {
    var block = AttributeBlock(blocksPerRead: 0, blocksPerWrite: 0, messageBlockCount: 0)
    block.reserved = [0, 1, 0, 0]
    (block.writeFlag, block.length) = (0x07, 5)
    #expect(
      block.faults(available: 13) == [
        .noRead, .noRoom, .reserved([0, 1, 0, 0]), .writeFlag(7), .noWrite, .length(5, capacity: 0),
      ])
    block = AttributeBlock(blocksPerRead: 4, blocksPerWrite: 1, messageBlockCount: 14)
    #expect(block.faults(available: 13) == [.beyondMemory(claimed: 14, available: 13)])
    #expect(block.faults(available: nil) == [])
    block.accessFlag = 2
    #expect(block.faults(available: nil) == [.accessFlag(2)])
    #expect(!block.allowsWriting)
    #expect(block.beingWritten.faults(available: nil).contains(.beingWritten))
  }

  @Test(
    "a reader finds no message while one is being written, whichever bytes of the block are torn")
  func torn() throws {
    for length in [0, 1, 15, 20, 208] {
      let old = AttributeBlock(blocksPerRead: 4, blocksPerWrite: 1, messageBlockCount: 13)
        .holding(length)
      let begun = old.beingWritten
      let new = begun.holding(33)
      for (from, to) in [(old, begun), (begun, new)] {
        for count in 0...16 {
          let bytes = Array(to.serialize()[..<count]) + Array(from.serialize()[count...])
          guard let found = try? AttributeBlock(parsing: bytes) else { continue }
          #expect([from, to].contains(found), "\(bytes)")
        }
      }
    }
  }

  @Test(
    "a message takes whole blocks",
    arguments: [(-1, 0), (0, 0), (1, 1), (16, 1), (17, 2), (208, 13)])
  func blocks(_ length: Int, _ count: Int) {
    #expect(AttributeBlock.blockCount(of: length) == count)
  }

  @Test("no bytes are read that do not come out again")
  func hostile() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
      bytes[0] = 0x10 | bytes[0] & 0x0F
      let sum = AttributeBlock.checksum(of: bytes)
      (bytes[14], bytes[15]) = (UInt8(sum >> 8), UInt8(sum & 0xFF))
      let block = try? AttributeBlock(parsing: bytes)
      #expect(block?.serialize() == bytes)
      _ = Type3NDEF(block0: bytes, configuration: nil, answersNDEF: true)
    }
  }
}
