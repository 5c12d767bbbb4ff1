import Bytes
import TagMemory
import Testing

@Suite("Scanning a data area for TLVs")
struct TLVScanTests {
  /// https://example.com/t/1 as an NDEF message of 20 bytes.
  static let url = "D1011055046578616D706C652E636F6D2F742F31"

  func padded(_ hex: String, to count: Int) throws -> [UInt8] {
    let bytes = try Hex.bytes(hex)
    return bytes + Array(repeating: 0, count: count - bytes.count)
  }

  @Test(
    "finds the message behind whatever comes first",
    arguments: [
      ("0314\(url)FE", 0, 24 - 2),  // formatted card
      ("00000314\(url)FE", 2, 24),  // NULL TLVs in front
      ("0103A00C340314\(url)FE", 5, 27),  // NTAG213
      ("FD020909 0314\(url)FE", 4, 26),  // proprietary in front
      ("03FF0014\(url)FE", 0, 24),  // long form for a short message
    ])
  func findsMessage(_ hex: String, _ offset: Int, _ terminator: Int) throws {
    let scan = TLVScan(try padded(hex, to: 144), of: .type2(byteCount: 144))
    #expect(scan.message?.offset == offset)
    #expect(scan.message?.value == (try Hex.bytes(Self.url)))
    #expect(scan.message?.endOffset == terminator)
    #expect(scan.terminator == terminator)
    #expect(scan.progress == .complete)
    #expect(scan.messageOffset == offset)
  }

  @Test("asks for just the bytes that it needs, and never for one that it has")
  func progressive() throws {
    let bytes = try padded("0103A00C340314\(Self.url)FE", to: 144)
    var asked: [Int] = []
    var count = 0
    while case .needs(let more) = TLVScan(bytes.prefix(count), of: .type2(byteCount: 144)).progress
    {
      #expect(more > count)
      asked.append(more)
      count = more
    }
    #expect(asked == [1, 2, 5, 6, 7, 27, 28])
    #expect(TLVScan(bytes.prefix(27), of: .type2(byteCount: 144)).message?.value?.count == 20)
  }

  @Test("the long form asks for its two bytes")
  func progressiveLongForm() throws {
    let area = TLVArea.classic(byteCount: 720)
    #expect(TLVScan([3, 0xFF], of: area).progress == .needs(byteCount: 4))
    #expect(TLVScan([3, 0xFF, 1], of: area).progress == .needs(byteCount: 4))
    #expect(TLVScan([3, 0xFF, 1, 0x2C], of: area).progress == .needs(byteCount: 304))
    #expect(TLVScan([3, 0xFF, 1, 0x2C], of: area).message?.length == 300)
    #expect(TLVScan([3, 0xFF, 1, 0x2C], of: area).message?.lengthOffsets == [1, 2, 3])
  }

  @Test("a formatted empty card has an empty message")
  func empty() {
    let scan = TLVScan([3, 0, 0xFE, 0], of: .classic(byteCount: 720))
    #expect(scan.message?.value == [])
    #expect(scan.message?.endOffset == 2)
    #expect(scan.terminator == 2)
    #expect(scan.faults.isEmpty)
  }

  @Test("a blank area has no message, and a place for one at its start")
  func blank() {
    let scan = TLVScan(Array(repeating: 0, count: 48), of: .type2(byteCount: 48))
    #expect(scan.message == nil)
    #expect(scan.messageOffset == 0)
    #expect(scan.faults.map(\.kind) == [.terminatorMissing])
  }

  @Test("without a message its place is behind the TLVs that are there")
  func placeWithoutMessage() throws {
    let area = TLVArea.type2(byteCount: 144)
    #expect(TLVScan(try padded("0103A00C34FE", to: 144), of: area).messageOffset == 5)
    #expect(TLVScan(try padded("FE", to: 144), of: area).messageOffset == 0)
    #expect(TLVScan(try padded("FDFE01", to: 144), of: area).messageOffset == 0)
  }

  @Test("a message that fills the area needs no Terminator")
  func full() {
    let message = [UInt8](repeating: 0xAA, count: 190)
    let scan = TLVScan([3, 190] + message, of: .classic(byteCount: 192))
    #expect(scan.message?.value == message)
    #expect(scan.terminator == nil)
    #expect(scan.faults.isEmpty)
    #expect(scan.progress == .complete)
  }

  @Test("only the first message counts")
  func secondMessage() {
    let scan = TLVScan([3, 1, 0xAA, 3, 1, 0xBB, 0xFE], of: .classic(byteCount: 48))
    #expect(scan.message?.value == [0xAA])
    #expect(scan.blocks.count == 2)
    #expect(scan.faults == [TLVFault(offset: 3, kind: .secondMessage)])
  }

  @Test(
    "faults are named with their places",
    arguments: [
      (
        "03FF FFFF",
        "byte 0 of the data area: the NDEF Message TLV has the length field FF FF FF, which is reserved"
      ),
      (
        "0000 0340",
        "byte 2 of the data area: the NDEF Message TLV announces 64 bytes, the area has 12 left"
      ),
      (
        "03FF8000",
        "byte 0 of the data area: the NDEF Message TLV announces 32768 bytes, the area has 12 left"
      ),
      (
        "FD0C 010101010101010101010101 0003",
        "byte 15 of the data area: the area ends inside the length field of the NDEF Message TLV"
      ),
      (
        "FD0B 0101010101010101010101 03FF01",
        "byte 13 of the data area: the area ends inside the length field of the NDEF Message TLV"
      ),
    ])
  func faults(_ hex: String, _ sentence: String) throws {
    let scan = TLVScan(try padded(hex, to: 16), of: .type2(byteCount: 16))
    #expect(scan.progress == .broken)
    #expect(scan.faults.last?.endsWalk == true)
    #expect(scan.faults.map(\.description) == [sentence])
  }

  @Test(
    "oddities are named and passed over",
    arguments: [
      (
        "03FF000105FE",
        "byte 0 of the data area: the NDEF Message TLV writes its length 1 in three bytes where one is enough"
      ),
      (
        "0101A0030105FE",
        "byte 0 of the data area: the Lock Control TLV has the length 1 instead of 3 and is skipped"
      ),
      (
        "0301050203000000FE",
        "byte 3 of the data area: the Memory Control TLV comes after the NDEF message"
      ),
      ("55010203 0105FE", "byte 0 of the data area: unknown TLV 55h is skipped"),
      ("030105", "byte 16 of the data area: no Terminator TLV follows the last TLV"),
      (
        "03010503 01 06FE",
        "byte 3 of the data area: a further NDEF Message TLV; only the first counts"
      ),
    ])
  func oddities(_ hex: String, _ sentence: String) throws {
    let scan = TLVScan(try padded(hex, to: 16), of: .type2(byteCount: 16))
    #expect(scan.progress == .complete)
    #expect(scan.message?.value == [5])
    #expect(scan.faults.map(\.description) == [sentence])
    #expect(scan.faults.first?.endsWalk == false)
  }

  @Test(
    "a record without its TLV is named, and nothing else is taken for one",
    arguments: [
      ("D1010455046162632F", 8), ("91010455046162632F", 8), ("D9010401550461626378", 10),
      ("C1010000000455046162", 11), ("D20A0474657874", nil), ("51010455046162632F", nil),
      ("D001045504616263", nil), ("D100045504616263", nil), ("D101FF5504616263", nil),
      ("D101150455016578616D", nil), ("D1410455046162632F", nil), ("0402", nil),
    ] as [(String, Int?)])
  func bareRecord(_ hex: String, length: Int?) throws {
    let scan = TLVScan(try padded(hex, to: 16), of: .type2(byteCount: 16))
    let wanted = length.map { TLVFault(offset: 0, kind: .bareRecord(length: $0)) }
    let found = scan.faults.first { if case .bareRecord = $0.kind { true } else { false } }
    #expect(found == wanted, "\(scan.faults)")
    #expect(scan.faults.first?.kind == wanted?.kind || wanted == nil)
  }

  @Test("control TLVs mean nothing on a Classic")
  func classicHasNoControlTLVs() {
    let scan = TLVScan([1, 3, 0x10, 8, 0x34, 3, 1, 7, 0xFE], of: .classic(byteCount: 48))
    #expect(scan.area.reserved.isEmpty)
    #expect(scan.message?.value == [7])
    #expect(scan.faults == [TLVFault(offset: 0, kind: .unknownTag(.lockControl))])
  }
}
