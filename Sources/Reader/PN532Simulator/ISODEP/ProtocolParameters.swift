/// What a card says of its end of the block protocol: in its ATS (ISO/IEC 14443-4, 5.2), or in its
/// ATQB (ISO/IEC 14443-3, 7.9.4).
struct ProtocolParameters: Hashable {
  /// FSC: the longest frame it takes, CRC included.
  var frameSize = 32
  /// FWI: how long it may think, 302 µs · 2^FWI.
  var waitingTime: UInt8 = 4
  var takesCID = true
  var takesNAD = false
  /// TA(1): the speeds beyond 106 kbit/s; bits 0 and 1 towards the card (212, 424), bits 4 and 5
  /// from it.
  var speeds: UInt8 = 0

  /// FSCI and FSDI, 0 to 8.
  static let sizes = [16, 24, 32, 40, 48, 64, 96, 128, 256]

  /// `ats` without its length byte; empty is a card that says nothing.
  init(ats: [UInt8]) {
    guard let format = ats.first else { return }
    frameSize = Self.sizes[min(8, Int(format & 0x0F))]
    var rest = ats.dropFirst()
    if format & 0x10 != 0, let ta = rest.popFirst() { speeds = ta }
    if format & 0x20 != 0, let tb = rest.popFirst() { waitingTime = min(tb >> 4, 14) }
    if format & 0x40 != 0, let tc = rest.popFirst() {
      (takesCID, takesNAD) = (tc & 0x02 != 0, tc & 0x01 != 0)
    }
  }

  /// The three bytes of protocol info.
  init(protocolInfo: [UInt8]) {
    frameSize = Self.sizes[min(8, Int(protocolInfo[1] >> 4))]
    waitingTime = min(protocolInfo[2] >> 4, 14)
    (takesCID, takesNAD) = (protocolInfo[2] & 0x01 != 0, protocolInfo[2] & 0x02 != 0)
    speeds = protocolInfo[0]
  }

  /// FWT: 4096 / 13.56 MHz · 2^FWI.
  var frameWait: Duration { .nanoseconds(302_065 << Int(waitingTime)) }
  /// FWTmax, which no extension exceeds.
  static let longestWait = Duration.nanoseconds(302_065 << 14)
}
