/// A type A tag says this of itself when it is activated (ISO/IEC 14443-3, 6.3 and 6.4).
public struct Activation: Hashable, Sendable {
  /// Answer to request, high byte first as the PN532 reports it (`0044` for a 7-byte UID tag).
  public var atqa: UInt16
  /// Select acknowledge.
  public var sak: UInt8
  /// The UID, 4, 7 or 10 bytes.
  public var uid: UID
  /// Answer to select (ISO/IEC 14443-4), without its length byte; empty where the tag has none.
  public var ats: [UInt8]
  /// Is true if it has answered RATS: the answer may be its length byte alone.
  package var hasATS: Bool

  /// `hasATS` says of an empty `ats` whether it came; nil: no.
  package init(atqa: UInt16, sak: UInt8, uid: UID, ats: [UInt8] = [], hasATS: Bool? = nil) {
    self.atqa = atqa
    self.sak = sak
    self.uid = uid
    self.ats = ats
    self.hasATS = hasATS ?? !ats.isEmpty
  }
}
