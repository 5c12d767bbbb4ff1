/// The whole memory of a tag as a dump holds it, byte after byte: what an NDEF reader finds in it.
///
/// Keys need not be in it: a MIFARE Classic image counts by its data blocks and general purpose bytes.
public struct MemoryImage: Hashable, Sendable {
  public let uid: UID
  public let isMIFAREClassic: Bool
  /// What the message TLV holds, not a byte perhaps; nil where there is none, or where the tag is not formatted for NDEF.
  public let message: [UInt8]?

  /// Reads an image of a MIFARE Classic (320, 1024, 2048 or 4096 bytes) or of a Type 2 tag (whole pages, 64
  /// bytes or more, the UID with right check bytes). Nil for anything else.
  public init?(_ bytes: [UInt8]) {
    if let geometry = Geometry.allCases.first(where: { Self.byteCount(of: $0) == bytes.count }) {
      isMIFAREClassic = true
      uid = UID(bytes.prefix(bytes[..<5].reduce(0, ^) == 0 ? 4 : 7))
      message = Self.message(inClassic: bytes, geometry)
    } else if bytes.count >= 64, bytes.count.isMultiple(of: Page.byteCount),
      let uid = UID(type2Bytes: bytes)
    {
      isMIFAREClassic = false
      self.uid = uid
      message = Self.message(inType2: bytes)
    } else {
      return nil
    }
  }

  private static func byteCount(of geometry: Geometry) -> Int {
    geometry.blocks.count * Block.byteCount
  }

  /// NFC Forum Type 2 Tag 1.1, 6.
  private static func message(inType2 bytes: [UInt8]) -> [UInt8]? {
    let start = Page.firstOfArea.byteOffset
    guard let container = try? CapabilityContainer(parsing: bytes[start - 4..<start]),
      container.isNDEF
    else { return nil }
    let area = TLVArea.type2(byteCount: min(container.areaByteCount, bytes.count - start))
    return TLVScan(bytes[start...], of: area).message?.value
  }

  /// AN1304, 3 to 6.
  private static func message(inClassic bytes: [UInt8], _ geometry: Geometry) -> [UInt8]? {
    func content(_ block: Block) -> ArraySlice<UInt8> {
      bytes[Int(block.index) * Block.byteCount..<(Int(block.index) + 1) * Block.byteCount]
    }
    func directory(in sector: Sector) -> [UInt8] {
      sector.dataBlocks.filter { $0 != 0 }.flatMap(content)
    }
    let trailer = Array(content(Sector.mad.trailer))
    guard let version = GeneralPurposeByte(rawValue: trailer[9]).madVersion else { return nil }
    let hasSecond = version == .two && geometry.contains(.secondMAD)
    guard
      let mad = try? MAD(
        parsing: directory(in: .mad), second: hasSecond ? directory(in: .secondMAD) : nil)
    else { return nil }
    let area = NDEFArea(mad.nfcSectors(on: geometry))
    return TLVScan(area.blocks.flatMap(content), of: area.tlvArea).message?.value
  }
}
