/// How much memory a MIFARE Classic card has (MF1S50YYX_V1 and MF1S70YYX_V1, 8.6).
///
///     card   sectors   blocks   NFC sectors    NDEF area   longest message
///     Mini         5       20   1–4                  192               190
///     1K          16       64   1–15                 720               716
///     2K          32      128   1–15, 17–31         1440              1436
///     4K          40      256   1–15, 17–39         3360              3356
package enum Geometry: Hashable, Sendable, CaseIterable {
  case mini
  case oneK
  case twoK
  case fourK

  /// What the select acknowledge promises; nil when it is no Classic's. Cards lie: whoever needs
  /// certainty authenticates in `sectors.last`.
  package init?(sak: UInt8) {
    guard let geometry = Self.promised[sak] else { return nil }
    self = geometry
  }

  /// What a tag's select acknowledge promises; nil when it is no Classic, or is in the ISO-DEP
  /// protocol: a card with a Classic in it obeys its commands only outside of that.
  package init?(_ target: Target) {
    guard let sak = target.sak, !target.hasAnsweredRATS else { return nil }
    self.init(sak: sak)
  }

  /// The select acknowledges of cards with the Classic's memory: NXP's own (AN10833, 3.2), and
  /// those of others, which say little about the size.
  private static let promised: [UInt8: Geometry] = [
    0x08: .oneK,
    0x09: .mini,
    0x18: .fourK,
    0x19: .twoK,
    0x01: .oneK,  // TNP3xxx, in toys
    0x0A: .oneK,  // Fudan
    0x28: .oneK,  // SmartMX and JCOP, which know ISO-DEP besides
    0x38: .fourK,  // likewise
    0x53: .oneK,  // Fudan FM11RF08SH
    0x88: .oneK,  // Infineon
    0x89: .mini,  // Infineon
    0x98: .fourK,  // Gemplus MPCOS
  ]

  /// 5, 16, 32 or 40.
  package var sectorCount: Int {
    switch self {
    case .mini: 5
    case .oneK: 16
    case .twoK: 32
    case .fourK: 40
    }
  }

  /// All sectors in ascending order.
  package var sectors: [Sector] { (0..<sectorCount).map(Sector.init(known:)) }

  /// All blocks in ascending order, trailers and manufacturer block included.
  package var blocks: [Block] { sectors.flatMap(\.blocks) }

  package func contains(_ sector: Sector) -> Bool { sector.index < sectorCount }

  package func contains(_ block: Block) -> Bool { contains(block.sector) }
}

extension Geometry {
  /// The directory that covers the whole card: MAD2 where there are more than 16 sectors.
  package var madVersion: MAD.Version { contains(.secondMAD) ? .two : .one }

  /// The sectors that an NDEF area may use under a directory of `version`: all but the directory's.
  package func nfcSectors(_ version: MAD.Version) -> [Sector] {
    sectors.filter { version.covers($0) && !version.sectors.contains($0) }
  }

  /// The sectors for an NDEF area where some are `unusable`: NFC sectors are contiguous (AN1304,
  /// 6.1; the directory's sector 16 may stand between), so this is the run with most room, the
  /// first of equals.
  package func nfcSectors(_ version: MAD.Version, without unusable: Set<Sector>) -> [Sector] {
    nfcSectors(version)
      .split { unusable.contains($0) }
      .reduce([]) { best, run in
        NDEFArea(Array(run)).byteCount > NDEFArea(best).byteCount ? Array(run) : best
      }
  }

  /// The NDEF area when every NFC sector under a directory of `version` is used.
  package func ndefArea(_ version: MAD.Version) -> NDEFArea { NDEFArea(nfcSectors(version)) }
}

extension Geometry: CustomStringConvertible {
  package var description: String {
    switch self {
    case .mini: "MIFARE Classic Mini"
    case .oneK: "MIFARE Classic 1K"
    case .twoK: "MIFARE Classic 2K"
    case .fourK: "MIFARE Classic 4K"
    }
  }
}
