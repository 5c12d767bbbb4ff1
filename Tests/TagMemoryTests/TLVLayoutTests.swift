import Bytes
import TagMemory
import Testing

@Suite("Placing a message in a data area")
struct TLVLayoutTests {
  @Test("the example URL on an empty 1K card")
  func url() throws {
    let message = try Hex.bytes(TLVScanTests.url)
    let layout = try TLVLayout(message: message, in: .classic(byteCount: 720))
    let blank = [UInt8](repeating: 0, count: 720)
    #expect(
      Hex.string(layout.applied(to: blank).prefix(32)).uppercased()
        == "0314D1011055046578616D706C652E63" + "6F6D2F742F31FE000000000000000000")
    #expect(layout.tagOffset == 0)
    #expect(layout.lengthOffsets == [1])
    #expect(layout.terminatorOffset == 22)
    #expect(layout.endOffset == 23)
    #expect(layout.applied(to: []).count == 23)
  }

  @Test("a message of 300 bytes takes 305, twenty blocks")
  func long() throws {
    let layout = try TLVLayout(
      message: Array(repeating: 0xAB, count: 300), in: .classic(byteCount: 720))
    #expect(layout.pieces.count == 1)
    #expect(layout.pieces[0].bytes.prefix(4) == [3, 0xFF, 1, 0x2C])
    #expect(layout.lengthOffsets == [1, 2, 3])
    #expect(layout.endOffset == 305)
    #expect((layout.endOffset + 15) / 16 == 20)
  }

  @Test("the factory lock control of an NTAG213 stays, the message follows it")
  func afterLockControl() throws {
    let leading = try Hex.bytes("0103A00C34")
    let layout = try TLVLayout(
      message: try Hex.bytes(TLVScanTests.url), in: .type2(byteCount: 144), leading: leading)
    let area = layout.applied(to: leading + [3, 0, 0xFE])
    #expect(layout.tagOffset == 5)
    #expect(layout.lengthOffsets == [6])
    #expect(
      Hex.string(area).uppercased()
        == "0103A00C34" + "0314D1" + "01105504" + "6578616D" + "706C652E" + "636F6D2F" + "742F31FE")
  }

  /// Data area sizes by the chips' capability containers; capacity as delivered.
  @Test(
    "capacities as delivered",
    arguments: [
      ("Ultralight", 48, "", 46), ("MF0UL21", 128, "", 126),
      ("Ultralight C", 144, "0103A01044", 137),
      ("NTAG212", 128, "0103900A34", 121), ("NTAG213", 144, "0103A00C34", 137),
      ("NTAG213 without lock control", 144, "", 142), ("NTAG215", 496, "", 492),
      ("NTAG216", 872, "", 868),
    ])
  func capacities(_ name: String, _ area: Int, _ leading: String, _ capacity: Int) throws {
    let leading = try Hex.bytes(leading)
    #expect(TLVLayout.capacity(of: .type2(byteCount: area), leading: leading) == capacity)
  }

  @Test("the longest message fits without Terminator, one byte more is refused")
  func limits() throws {
    let area = TLVArea.classic(byteCount: 720)
    let layout = try TLVLayout(message: Array(repeating: 1, count: 716), in: area)
    #expect(layout.terminatorOffset == nil)
    #expect(layout.endOffset == 720)
    #expect(throws: TagMemoryError.messageTooLong(byteCount: 717, capacity: 716)) {
      try TLVLayout(message: Array(repeating: 1, count: 717), in: area)
    }
    #expect(
      TagMemoryError.messageTooLong(byteCount: 717, capacity: 716).description
        == "the message has 717 bytes, the tag takes at most 716")
  }

  @Test("an empty message is three bytes, and two at the end of an area")
  func empty() throws {
    let area = TLVArea.classic(byteCount: 48)
    #expect(try TLVLayout(message: [], in: area).pieces.map(\.bytes) == [[3, 0, 0xFE]])
    let leading = [UInt8](repeating: 0, count: 46)
    let last = try TLVLayout(message: [], in: area, leading: leading)
    #expect(last.pieces == [.init(offset: 46, bytes: [3, 0])])
    #expect(throws: TagMemoryError.noRoomForMessage(area: 48, leading: 47)) {
      try TLVLayout(message: [], in: area, leading: leading + [0])
    }
  }

  @Test("what was placed is what a scan finds", arguments: [0, 1, 254, 255, 700])
  func roundTrip(_ count: Int) throws {
    let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let leading: [UInt8] = [0, 0xFD, 1, 9]
    let layout = try TLVLayout(message: message, in: .classic(byteCount: 720), leading: leading)
    let area = layout.applied(to: leading)
    let scan = TLVScan(area, of: .classic(byteCount: 720))
    #expect(scan.message?.value == message)
    #expect(scan.message?.lengthOffsets == layout.lengthOffsets)
    #expect(scan.progress == .complete)
    #expect(area.prefix(4) == leading[...])
  }
}
