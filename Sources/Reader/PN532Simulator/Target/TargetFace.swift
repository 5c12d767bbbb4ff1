/// What a chip that plays a tag shows to readers: the parameters of TgInitAsTarget (UM0701-02,
/// 7.3.14), and what they cannot change.
package struct TargetFace: Hashable, Sendable {
  /// Bit 0 passive only, bit 1 DEP only, bit 2 ISO-DEP card only.
  package let mode: UInt8
  /// High byte first; bits 6 and 7 are 0, as the UID has always four bytes.
  package let atqa: UInt16
  /// 08h and the three bytes that the host chose.
  package let uid: [UInt8]
  package let sak: UInt8
  /// Historical bytes.
  let history: [UInt8]
  /// SetParameters, bit 5: the firmware answers RATS and speaks ISO-DEP.
  package let isCard: Bool
  /// CIU_Mode, bit 2, is clear: the chip answers the polling of FeliCa readers, too.
  package let answersFeliCa: Bool

  /// Nil for a wrong number of parameters. General and historical bytes, each with their length in
  /// front, may be left out.
  init?(_ parameters: [UInt8], isCard: Bool, answersFeliCa: Bool) {
    guard parameters.count >= 35 else { return nil }
    var rest = parameters.dropFirst(35)
    func counted(_ most: Int) -> [UInt8]? {
      guard let count = rest.popFirst() else { return [] }
      guard count <= most, rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
    guard counted(47) != nil, let history = counted(48), rest.isEmpty else { return nil }
    self.history = history
    mode = parameters[0]
    atqa = UInt16(parameters[2]) << 8 | UInt16(parameters[1] & 0x3F)
    uid = [0x08] + parameters[3..<6]
    sak = parameters[6]
    (self.isCard, self.answersFeliCa) = (isCard, answersFeliCa)
  }

  /// The chip's own, as measured with a second reader, without the length byte: FSC 64, 212 and 424
  /// kbit/s, FWI 9, SFGI 2, CID and NAD; behind it the historical bytes.
  package var ats: [UInt8] { [0x75, 0x33, 0x92, 0x03] + history }
}
