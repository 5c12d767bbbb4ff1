/// A Topaz or Jewel tag says this of itself (NFC Forum Type 1).
public struct TopazActivation: Hashable, Sendable {
  /// Answer to request, high byte first as the PN532 reports it: `0C00`.
  package var atqa: UInt16
  /// Header ROM bytes HR0 and HR1, which RID tells; nil where it was not asked.
  package var header: [UInt8]?
  /// The first 4 of the UID's 7 bytes, which the tag's commands carry.
  package var uid: [UInt8]

  package init(atqa: UInt16, header: [UInt8]? = nil, uid: [UInt8]) {
    self.atqa = atqa
    self.header = header
    self.uid = uid
  }
}
