/// The last block of a MIFARE Classic sector: its keys and access conditions (MF1S50YYX_V1, 8.6.3).
///
///     bytes 0…5    6…8           9                      10…15
///     key A        access bits   general purpose byte   key B
///
/// Written with invalid access bits a trailer blocks its sector permanently; this value cannot hold
/// any.
package struct SectorTrailer: Hashable, Sendable {
  /// Reads as zeros from every card.
  package var keyA: Key
  package var conditions: AccessConditions
  package var generalPurposeByte: GeneralPurposeByte
  /// Reads as zeros unless the conditions let it be read.
  package var keyB: Key

  package init(
    keyA: Key, conditions: AccessConditions, generalPurposeByte: GeneralPurposeByte, keyB: Key
  ) {
    self.keyA = keyA
    self.conditions = conditions
    self.generalPurposeByte = generalPurposeByte
    self.keyB = keyB
  }

  /// Reads the block's 16 bytes; throws when there are not 16, or when the access bits are invalid.
  package init(parsing bytes: some Collection<UInt8>) throws(TagMemoryError) {
    let bytes = Array(bytes)
    guard bytes.count == Block.byteCount, let keyA = Key(bytes[..<6]), let keyB = Key(bytes[10...])
    else {
      throw .wrongLength(
        format: "a sector trailer", expected: Block.byteCount, found: bytes.count)
    }
    self.init(
      keyA: keyA, conditions: try AccessBits(parsing: bytes[6..<9]).conditions,
      generalPurposeByte: GeneralPurposeByte(rawValue: bytes[9]), keyB: keyB)
  }

  /// The block's 16 bytes.
  package func serialize() -> [UInt8] {
    keyA.bytes + AccessBits(conditions).serialize() + [generalPurposeByte.rawValue] + keyB.bytes
  }

  /// Returns whether bytes 6 to 9, which every reader of the trailer sees, are the same.
  package func agrees(with other: SectorTrailer) -> Bool {
    conditions == other.conditions && generalPurposeByte == other.generalPurposeByte
  }
}

/// The trailers of NDEF formatting. Key B is the issuer's: it may change trailers and directory,
/// which the factory key leaves open to everyone; NFC sectors' data anyone may write until they are
/// read-only.
extension SectorTrailer {
  /// As delivered.
  package static let transport = SectorTrailer(
    keyA: .factory, conditions: .transport, generalPurposeByte: .transport, keyB: .factory)

  /// Sector 0, and sector 16 under MAD2 (AN10787, 3; AN1304).
  package static func mad(_ version: MAD.Version, keyB: Key) -> SectorTrailer {
    SectorTrailer(
      keyA: .mad, conditions: .mad, generalPurposeByte: version == .one ? .mad1 : .mad2,
      keyB: keyB)
  }

  /// An NFC sector that can be written (AN1304, 6.4).
  package static func nfcReadWrite(keyB: Key) -> SectorTrailer {
    SectorTrailer(
      keyA: .nfc, conditions: .nfcReadWrite, generalPurposeByte: .nfcReadWrite, keyB: keyB)
  }

  /// An NFC sector that can never be written again (AN1304, 6.4). Not to be undone.
  package static func nfcReadOnly(keyB: Key) -> SectorTrailer {
    SectorTrailer(
      keyA: .nfc, conditions: .nfcReadOnly, generalPurposeByte: .nfcReadOnly, keyB: keyB)
  }
}
