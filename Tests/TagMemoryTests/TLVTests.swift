import Bytes
import TagMemory
import Testing

@Suite("TLV, NFC Forum Type 2 Tag 1.1, 2.3")
struct TLVTests {
  @Test(
    "a length up to 254 takes one byte, a longer one three",
    arguments: [
      (0, "0300"), (20, "0314"), (254, "03FE"), (255, "03FF00FF"), (300, "03FF012C"),
      (65534, "03FFFFFE"),
    ])
  func header(_ byteCount: Int, _ expected: String) throws {
    let header = try #require(TLV.messageHeader(byteCount: byteCount))
    #expect(Hex.string(header).uppercased() == expected)
  }

  @Test("lengths that no field can hold have no header", arguments: [-1, 65535, .max, .min])
  func noHeader(_ byteCount: Int) {
    #expect(TLV.messageHeader(byteCount: byteCount) == nil)
  }

  @Test("the Terminator is written only when a byte is left")
  func terminator() {
    #expect(TLV.messageBlock([1, 2], room: 3) == nil)
    #expect(TLV.messageBlock([1, 2], room: 4) == [3, 2, 1, 2])
    #expect(TLV.messageBlock([1, 2], room: 5) == [3, 2, 1, 2, 0xFE])
    #expect(TLV.messageBlock([], room: 48) == [3, 0, 0xFE])
  }

  @Test(
    "capacity leaves out the header and needs no Terminator",
    arguments: [
      (0, nil), (1, nil), (2, 0), (46 + 2, 46), (192, 190), (256, 254), (257, 254), (258, 254),
      (259, 255), (720, 716), (3360, 3356), (65538, 65534), (100_000, 65534),
    ])
  func capacity(_ room: Int, _ capacity: Int?) {
    #expect(TLV.messageCapacity(room: room) == capacity)
  }

  @Test("the longest message of every room fits, one byte more does not")
  func capacityIsExact() throws {
    for room in 2...600 {
      let capacity = try #require(TLV.messageCapacity(room: room))
      #expect(TLV.messageBlock(Array(repeating: 7, count: capacity), room: room) != nil)
      #expect(TLV.messageBlock(Array(repeating: 7, count: capacity + 1), room: room) == nil)
    }
  }

  @Test("any TLV serializes with the shortest length field")
  func serialize() {
    #expect(TLV(.null)?.serialize() == [0])
    #expect(TLV(.terminator)?.serialize() == [0xFE])
    #expect(TLV(.proprietary, [9])?.serialize() == [0xFD, 1, 9])
    #expect(
      TLV(.lockControl, [0xA0, 0x0C, 0x34])?.serialize() == [0x01, 0x03, 0xA0, 0x0C, 0x34])
    #expect(TLV(.null, [1]) == nil)
    #expect(TLV(.terminator, [1]) == nil)
    #expect(TLV(.ndefMessage, Array(repeating: 0, count: 65535)) == nil)
  }
}

@Suite("Control TLVs, NFC Forum Type 2 Tag 1.1, 2.3.2 and 2.3.3")
struct TLVControlTests {
  /// Factory values (NTAG213 8.5.6, NTAG203, NTAG212), one with 256 bits.
  @Test(
    "a lock control says where its bits are and what they lock",
    arguments: [
      ("A00C34", 160, 12, 2, 8), ("A01044", 160, 16, 2, 16), ("900A34", 144, 10, 2, 8),
      ("000000", 0, 256, 32, 1), ("FFFFFF", 15 * 32768 + 15, 255, 32, 32768),
      ("880446", 520, 4, 1, 16),
    ])
  func lock(_ hex: String, _ address: Int, _ bits: Int, _ bytes: Int, _ perBit: Int) throws {
    let value = try Hex.bytes(hex)
    let lock = try LockControl(parsing: value)
    #expect(lock.byteAddress == address)
    #expect(lock.bitCount == bits)
    #expect(lock.byteCount == bytes)
    #expect(lock.byteRange == address..<address + bytes)
    #expect(lock.bytesPerBit == perBit)
    #expect(lock.serialize() == value)
  }

  @Test(
    "a lock control made from a chip map is the factory one",
    arguments: [(160, 12, 8, "A00C34"), (160, 16, 16, "A01044"), (144, 10, 8, "900A34")])
  func lockFromMap(_ address: Int, _ bits: Int, _ perBit: Int, _ hex: String) throws {
    let lock = try #require(
      LockControl(byteAddress: address, bitCount: bits, bytesPerBit: perBit))
    #expect(lock.serialize() == (try Hex.bytes(hex)))
  }

  @Test("every address comes back, or there is no way to write it")
  func addresses() throws {
    for address in 0...1024 {
      guard let lock = LockControl(byteAddress: address, bitCount: 8, bytesPerBit: 8) else {
        #expect((1...15).allSatisfy { address >> $0 > 15 || address & ((1 << $0) - 1) > 15 })
        continue
      }
      #expect(try LockControl(parsing: lock.serialize()).byteAddress == address)
      #expect(MemoryControl(byteAddress: address, byteCount: 3)?.byteAddress == address)
    }
  }

  @Test("what the format cannot say is not made")
  func impossible() {
    #expect(LockControl(byteAddress: -1, bitCount: 8, bytesPerBit: 8) == nil)
    #expect(LockControl(byteAddress: 160, bitCount: 0, bytesPerBit: 8) == nil)
    #expect(LockControl(byteAddress: 160, bitCount: 257, bytesPerBit: 8) == nil)
    #expect(LockControl(byteAddress: 160, bitCount: 8, bytesPerBit: 12) == nil)
    #expect(LockControl(byteAddress: .max, bitCount: 8, bytesPerBit: 8) == nil)
    #expect(MemoryControl(byteAddress: 160, byteCount: 0) == nil)
  }

  @Test("a memory control names its reserved bytes")
  func memory() throws {
    let memory = try MemoryControl(parsing: [0x81, 0x02, 0x04])
    #expect(memory.byteRange == 129..<131)
    #expect(memory.serialize() == [0x81, 0x02, 0x04])
    #expect(try MemoryControl(parsing: [0, 0, 0xF4]).byteCount == 256)
    #expect(try MemoryControl(parsing: [0, 0, 0xF4]).serialize() == [0, 0, 0xF4])
  }

  @Test("three bytes, no more, no fewer", arguments: [0, 1, 2, 4])
  func wrongLength(_ count: Int) {
    let value = Array(repeating: UInt8(1), count: count)
    #expect(
      throws: TagMemoryError.wrongLength(format: "a Lock Control TLV", expected: 3, found: count)
    ) { try LockControl(parsing: value) }
    #expect(
      throws: TagMemoryError.wrongLength(format: "a Memory Control TLV", expected: 3, found: count)
    ) { try MemoryControl(parsing: value) }
  }
}
