import Bytes

/// The answer to GetFirmwareVersion (UM0701-02, 7.2.2): `32 01 06 07`.
package struct FirmwareVersion: Hashable, Sendable {
  /// 32h for a PN532, 33h for a PN533.
  package var chip: UInt8
  package var version: UInt8
  package var revision: UInt8
  /// Bit 0: ISO/IEC 14443 type A, bit 1: type B, bit 2: ISO/IEC 18092.
  package var support: UInt8

  package init(chip: UInt8, version: UInt8, revision: UInt8, support: UInt8) {
    self.chip = chip
    self.version = version
    self.revision = revision
    self.support = support
  }

  /// Reads what follows the answer code: four bytes.
  package init(parsing bytes: some Sequence<UInt8>) throws(ResponseError) {
    let all = try ByteReader.whole(bytes, "the firmware version") {
      reader throws(ByteReaderError) in try reader.bytes(4)
    }
    (chip, version, revision, support) = (all[0], all[1], all[2], all[3])
  }

  package func serialize() -> [UInt8] { [chip, version, revision, support] }
}

extension FirmwareVersion: CustomStringConvertible {
  /// `PN532 v1.6`.
  package var description: String { "PN5\(Hex.byte(chip)) v\(version).\(revision)" }
}
