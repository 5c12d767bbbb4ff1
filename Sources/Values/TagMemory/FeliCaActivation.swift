/// A FeliCa tag says this of itself in its answer to polling (JIS X 6319-4, 9.3).
public struct FeliCaActivation: Hashable, Sendable {
  /// Manufacture ID, 8 bytes: the tag's identity, and part of every command to it.
  public var idm: [UInt8]
  /// Manufacture parameters, 8 bytes: chip and answer times.
  public var pmm: [UInt8]
  /// The system that answered; nil where it was not told. A Lite tag set up for NDEF says 12FCh or
  /// 88B4h.
  public var systemCode: UInt16?
  /// At which it was found.
  package var bitRate: BitRate

  /// Which of the two modulations the polling used, in kbit/s.
  package enum BitRate: Int, Hashable, Sendable, CaseIterable {
    case kbit212 = 212
    case kbit424 = 424
  }

  package init(idm: [UInt8], pmm: [UInt8], systemCode: UInt16?, bitRate: BitRate) {
    self.idm = idm
    self.pmm = pmm
    self.systemCode = systemCode
    self.bitRate = bitRate
  }

  /// Is true if it is a peer (NFC-DEP), such as a telephone, and no tag: its NFCID2 starts with
  /// 01FE (NFC Forum Digital Protocol, 6.6.2.2).
  package var isPeer: Bool { idm.starts(with: [0x01, 0xFE]) }
}
