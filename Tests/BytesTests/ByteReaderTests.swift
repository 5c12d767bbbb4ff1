import Bytes
import Testing

@Suite("Reading and writing bytes")
struct ByteReaderTests {
  @Test("what a writer wrote, a reader reads, high byte first")
  func roundTrip() throws {
    var writer = ByteWriter()
    writer.write(UInt8(0x01))
    writer.write(UInt16(0x0203))
    writer.write(UInt32(0x0405_0607))
    writer.write([0x08, 0x09])
    #expect(writer.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    var reader = ByteReader(writer.bytes)
    #expect(try reader.byte() == 0x01)
    #expect(try reader.uint16() == 0x0203)
    #expect(try reader.uint32() == 0x0405_0607)
    #expect(reader.peek == 0x08)
    #expect(reader.rest() == [0x08, 0x09])
    #expect(reader.isAtEnd && reader.peek == nil && reader.remaining == 0)
  }

  @Test(
    "a reader that is asked for too much says where, how much, and what was left, and stays there")
  func short() throws {
    var reader = ByteReader([0xAA, 0xBB, 0xCC], offset: 100)
    #expect(try reader.byte() == 0xAA)
    let error = #expect(throws: ByteReaderError.self) { try reader.uint32() }
    #expect(error?.offset == 101 && error?.wanted == 4 && error?.available == 2)
    #expect(error?.description == "4 bytes are needed at offset 101, 2 are left")
    #expect(reader.offset == 101)
    #expect(try reader.uint16() == 0xBBCC)
  }

  @Test(
    "no count makes a reader fail other than by its error", arguments: [-1, Int.min, 4, Int.max])
  func counts(count: Int) {
    var reader = ByteReader([1, 2, 3])
    #expect(throws: ByteReaderError.self) { try reader.bytes(count) }
    #expect(reader.remaining == 3)
  }
}
