/// The MIFARE Classic chips: one row a product (MF1S50YYX_V1, MF1S70YYX_V1; 8.6 memory, 9.4 ATQA
/// and SAK).
///
/// To add one, add a row here and its name to the catalogue.
package struct ClassicSilicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  /// 16-byte blocks, sector trailers included.
  package let blockCount: Int
  package let sak: UInt8
  /// With a 4-byte UID; a 7-byte UID sets bit 6 as well.
  let atqa: UInt16
  /// The UID sizes sold under this name.
  package let uidSizes: [Int]
  /// Is true if blocks 69 and 70, which are not of the memory, show the maker's signature to
  /// whoever has the key of that sector (MIFARE Classic EV1).
  var hasSignature = false

  package static let mini = ClassicSilicon(
    name: "mini", blockCount: 20, sak: 0x09, atqa: 0x0004, uidSizes: [4, 7])
  package static let classic1K = ClassicSilicon(
    name: "classic1k", blockCount: 64, sak: 0x08, atqa: 0x0004, uidSizes: [4])
  package static let classic1K7B = ClassicSilicon(
    name: "classic1k7b", blockCount: 64, sak: 0x08, atqa: 0x0004, uidSizes: [7])
  package static let classic2K = ClassicSilicon(
    name: "classic2k", blockCount: 128, sak: 0x19, atqa: 0x0004, uidSizes: [4, 7])
  package static let classic4K = ClassicSilicon(
    name: "classic4k", blockCount: 256, sak: 0x18, atqa: 0x0002, uidSizes: [4, 7])

  /// MF1S50YYX_V1, EV1.
  package static let classic1KEV1 = ClassicSilicon(
    name: "classic1k-ev1", blockCount: 64, sak: 0x08, atqa: 0x0004, uidSizes: [7],
    hasSignature: true)

  package static let all = [mini, classic1K, classic1K7B, classic1KEV1, classic2K, classic4K]

  /// Sector of a block: four blocks each up to sector 31, sixteen from sector 32 on.
  static func sector(ofBlock block: Int) -> Int {
    block < 128 ? block / 4 : 32 + (block - 128) / 16
  }

  /// The block that holds a sector's keys and access bits.
  static func trailer(ofSector sector: Int) -> Int {
    sector < 32 ? sector * 4 + 3 : 143 + (sector - 32) * 16
  }

  /// Block group 0 to 2 (data) or 3 (trailer): the index into the access bits. Sectors of sixteen
  /// blocks have five blocks to a group.
  static func group(ofBlock block: Int) -> Int {
    block < 128 ? block % 4 : (block - 128) % 16 / 5
  }

  /// The memory as delivered: zeros, every trailer in transport configuration (8.7.2).
  func transportMemory(uid: [UInt8]) -> [UInt8] {
    let check = uid.count == 4 ? [uid.reduce(0, ^)] : []
    let atqa = atqa(uidSize: uid.count)
    var memory = uid + check + [sak, UInt8(atqa & 0xFF), UInt8(atqa >> 8)]
    memory += [UInt8](repeating: 0, count: blockCount * 16 - memory.count)
    let transport: [UInt8] =
      [UInt8](repeating: 0xFF, count: 6) + [0xFF, 0x07, 0x80, 0x69]
      + [UInt8](repeating: 0xFF, count: 6)
    for sector in 0...Self.sector(ofBlock: blockCount - 1) {
      let offset = Self.trailer(ofSector: sector) * 16
      memory.replaceSubrange(offset..<offset + 16, with: transport)
    }
    return memory
  }

  func atqa(uidSize: Int) -> UInt16 { uidSize == 7 ? atqa | 0x0040 : atqa }
}
