import SeededNumbers
import Testing

@testable import TagMemory

@Suite("The message in a dump")
struct MemoryImageTests {
  private let message: [UInt8] = [0xD1, 0x01, 0x04, 0x55, 0x04, 0x61, 0x2E, 0x62]

  /// An NTAG213 as it is delivered, with the message behind its lock control TLV.
  private var ntag213: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 180)
    bytes[..<9] = UID([4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]).type2Bytes![...]
    let area: [UInt8] = [0xE1, 0x10, 0x12, 0x00, 0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 8] + message
    bytes.replaceSubrange(12..<12 + area.count, with: area)
    return bytes
  }

  /// A 1K with a MAD1 and the message over the border of sectors 1 and 2; every key reads as zeros.
  private func classic(leading: [UInt8]) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1024)
    bytes[..<5] = [1, 2, 3, 4, 4]
    bytes[57] = 0xC1
    let mad = MAD.ndef(on: .oneK, version: .one)
    for (block, content) in mad.serialize() {
      bytes.replaceSubrange(Int(block.index) * 16..<Int(block.index) * 16 + 16, with: content)
    }
    let content = leading + [0x03, 8] + message
    let blocks = NDEFArea(Geometry.oneK.nfcSectors(.one)).blocks
    for (index, byte) in content.enumerated() {
      bytes[Int(blocks[index / 16].index) * 16 + index % 16] = byte
    }
    return bytes
  }

  @Test("of a Type 2 tag is found behind other TLVs, also in a dump of the user memory's beginning")
  func type2() throws {
    let image = try #require(MemoryImage(ntag213))
    #expect(image.message == message && !image.isMIFAREClassic)
    #expect(image.uid == UID([4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]))
    #expect(MemoryImage(Array(ntag213[..<64]))?.message == message)
  }

  @Test("of a MIFARE Classic is found across sectors, whatever its keys")
  func classic() throws {
    for count in [0, 40, 90] {
      let image = try #require(MemoryImage(classic(leading: Array(repeating: 0, count: count))))
      #expect(image.message == message && image.isMIFAREClassic)
      #expect(image.uid == UID([1, 2, 3, 4]))
    }
  }

  @Test("is nil on a tag without NDEF; what is no dump is no image")
  func none() throws {
    var blank = ntag213
    blank.replaceSubrange(12..<20, with: repeatElement(0, count: 8))
    #expect(try #require(MemoryImage(blank)).message == nil)
    #expect(try #require(MemoryImage([UInt8](repeating: 0, count: 1024))).message == nil)
    var wrong = ntag213
    wrong[3] ^= 1
    #expect(MemoryImage(wrong) == nil)
    #expect(MemoryImage([]) == nil && MemoryImage(Array(ntag213[..<62])) == nil)
    let longer = ntag213 + [UInt8](repeating: 0, count: 1028 - ntag213.count)
    #expect(MemoryImage(longer) == nil, "there is no page 256")
  }

  @Test("never reads beyond a dump, whatever its bytes claim")
  func hostile() throws {
    var random = SeededGenerator(seed: 7)
    for size in [64, 180, 320, 1024, 4096] {
      for _ in 0..<200 {
        var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes[..<9] = UID([4, 1, 2, 3, 4, 5, 6]).type2Bytes![...]
        bytes[12] = 0xE1
        bytes[13] = 0x10
        #expect(MemoryImage(bytes) != nil)
      }
    }
  }
}
