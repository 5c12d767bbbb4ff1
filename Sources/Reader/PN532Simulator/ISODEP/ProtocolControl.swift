/// The first byte of a block, PCB (ISO/IEC 14443-4, 7.1.1).
///
///     000C DN1n   I-block: C chaining, D with CID, N with NAD, n block number
///     101K D01n   R-block: K = 1 is NAK
///     11WW D010   S-block: WW = 00 DESELECT, 11 WTX
enum ProtocolControl: Hashable {
  case information(number: UInt8, chaining: Bool)
  case acknowledge(number: UInt8)
  case negative(number: UInt8)
  case deselect
  case waitingTimeExtension

  private static let cidBit: UInt8 = 0x08
  private static let nadBit: UInt8 = 0x04

  /// Returns what a byte says, and which of CID and NAD follow it; nil for what is no block.
  static func parse(_ byte: UInt8) -> (control: ProtocolControl, hasCID: Bool, hasNAD: Bool)? {
    let control: ProtocolControl
    switch byte & ~(cidBit | nadBit) {
    case 0x02, 0x03: control = .information(number: byte & 1, chaining: false)
    case 0x12, 0x13: control = .information(number: byte & 1, chaining: true)
    case 0xA2, 0xA3: control = .acknowledge(number: byte & 1)
    case 0xB2, 0xB3: control = .negative(number: byte & 1)
    case 0xC2: control = .deselect
    case 0xF2: control = .waitingTimeExtension
    default: return nil
    }
    let hasNAD = byte & nadBit != 0
    if hasNAD {
      guard case .information = control else { return nil }
    }
    return (control, byte & cidBit != 0, hasNAD)
  }

  func byte(hasCID: Bool, hasNAD: Bool = false) -> UInt8 {
    let base: UInt8 =
      switch self {
      case .information(let number, let chaining): 0x02 | number | (chaining ? 0x10 : 0)
      case .acknowledge(let number): 0xA2 | number
      case .negative(let number): 0xB2 | number
      case .deselect: 0xC2
      case .waitingTimeExtension: 0xF2
      }
    return base | (hasCID ? Self.cidBit : 0) | (hasNAD ? Self.nadBit : 0)
  }
}

/// One block without its CRC.
struct ProtocolBlock: Hashable {
  var control: ProtocolControl
  var cid: UInt8?
  var nad: UInt8?
  var information: [UInt8] = []

  init(
    _ control: ProtocolControl, cid: UInt8? = nil, nad: UInt8? = nil, _ information: [UInt8] = []
  ) {
    (self.control, self.cid, self.nad, self.information) = (control, cid, nad, information)
  }

  init?(parsing bytes: [UInt8]) {
    guard let first = bytes.first, let head = ProtocolControl.parse(first) else { return nil }
    var rest = bytes.dropFirst()
    control = head.control
    if head.hasCID {
      guard let byte = rest.popFirst() else { return nil }
      cid = byte & 0x0F
    }
    if head.hasNAD {
      guard let byte = rest.popFirst() else { return nil }
      nad = byte
    }
    information = Array(rest)
  }

  func serialize() -> [UInt8] {
    [control.byte(hasCID: cid != nil, hasNAD: nad != nil)] + [cid, nad].compactMap { $0 }
      + information
  }

  /// `data` cut so that every block with its prologue and CRC has at most `frame` bytes; no data
  /// are one block.
  static func pieces(of data: [UInt8], frame: Int, hasCID: Bool, hasNAD: Bool) -> [[UInt8]] {
    let size = max(1, frame - 3 - (hasCID ? 1 : 0) - (hasNAD ? 1 : 0))
    guard !data.isEmpty else { return [[]] }
    return stride(from: 0, to: data.count, by: size)
      .map { Array(data[$0..<min($0 + size, data.count)]) }
  }
}
