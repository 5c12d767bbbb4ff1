import PN532
import TagMemory

extension TagCommand {
  /// What a user typed for `target`: a tag's own command, its code first, without CRC. Never
  /// repeated.
  ///
  /// InDataExchange knows the MIFARE commands and takes their 4-bit acknowledges (UM0701-02,
  /// 7.3.8); any other command goes to the tag as it is, through InCommunicateThru, which hands out
  /// whole bytes with a CRC only. MIFARE Classic authentication is 60h or 61h, the block and the
  /// key; the UID is added. A card that speaks ISO-DEP gets every command in its protocol. A FeliCa
  /// command may leave out its length, and its IDm with it.
  package init(raw bytes: [UInt8], for target: Target?, inProtocol: Bool) {
    if inProtocol {
      self = (try? CommandAPDU(parsing: bytes)).map { .apdu($0) } ?? TagCommand(bytes)
      return
    }
    switch target {
    case .feliCa(let tag): self.init(rawFeliCa: bytes, idm: tag.idm)
    case .topaz: self.init(bytes)
    case .typeB: self.init(bytes, way: .thru)
    case .typeA, nil:
      let isClassic =
        target.map { ($0.sak ?? 0) & 0x08 != 0 || Geometry($0) != nil } ?? false
      let row = Self.rows.first { $0.matches(bytes, isClassic) }
      self.init(
        bytes, kind: row?.kind ?? .other, way: row?.way ?? .thru,
        addressing: row?.addressing ?? .selection, work: row?.work ?? .answer,
        secrets: row?.secrets ?? .none, asks: Self.asked(by: bytes))
    }
  }

  /// The pages from the first to the last that FAST_READ names (NTAG213/215/216, 10.3).
  private static func asked(by bytes: [UInt8]) -> Int? {
    guard bytes.count == 3, bytes[0] == 0x3A, bytes[1] <= bytes[2] else { return nil }
    return 4 * (Int(bytes[2]) - Int(bytes[1]) + 1)
  }

  /// The blocks that Read Without Encryption names, 16 bytes each, behind length, code, IDm, flags
  /// and their number (JIS X 6319-4).
  private static func asked(byFeliCa frame: [UInt8]) -> Int? {
    guard frame.first == 0x06, frame.count > 9 else { return nil }
    let list = 10 + 2 * Int(frame[9])
    return frame.count > list ? 13 + 16 * Int(frame[list]) : nil
  }

  /// A row of the table of type A commands.
  private struct Row: Sendable {
    let code: UInt8
    /// With its code; nil: any.
    var count: Int?
    /// Is true if it concerns a MIFARE Classic sector trailer.
    var isTrailer = false
    var kind = Kind.other
    var way = Way.thru
    var addressing = Addressing.selection
    var work = TagWork.answer
    var secrets = Secrets.none

    func matches(_ bytes: [UInt8], _ isClassic: Bool) -> Bool {
      guard bytes.first == code, count == nil || bytes.count == count else { return false }
      return !isTrailer || isClassic && bytes.count > 1 && Block(bytes[1]).isTrailer
    }
  }

  /// The first row that fits decides (MF1S50YYX_V1, 9; NTAG213/215/216, 10).
  private static let rows: [Row] = [
    Row(
      code: 0x60, count: 8, kind: .authentication, way: .dataExchange, addressing: .uid,
      work: .classicAuthentication, secrets: Secrets(frame: [2..<8])),
    Row(
      code: 0x61, count: 8, kind: .authentication, way: .dataExchange, addressing: .uid,
      work: .classicAuthentication, secrets: Secrets(frame: [2..<8])),
    Row(
      code: 0x30, count: 2, isTrailer: true, kind: .read, way: .dataExchange,
      secrets: Secrets(answer: [0..<6, 10..<16])),
    Row(code: 0x30, count: 2, kind: .read, way: .dataExchange),
    Row(
      code: 0xA0, count: 18, isTrailer: true, kind: .write, way: .dataExchange,
      work: .classicWrite, secrets: Secrets(frame: [2..<8, 12..<18])),
    Row(code: 0xA0, count: 18, kind: .write, way: .dataExchange, work: .classicWrite),
    Row(code: 0xA2, count: 6, kind: .write, way: .dataExchange, work: .programming),
    Row(code: 0xB0, count: 2, kind: .write, way: .dataExchange, work: .programming),
    Row(code: 0xC0, way: .dataExchange),
    Row(code: 0xC1, way: .dataExchange),
    Row(code: 0xC2, way: .dataExchange),
    Row(
      code: 0x1B, kind: .authentication,
      secrets: Secrets(frame: [1..<5], answer: [0..<2])),
    // A key half, or a random number under a key.
    Row(code: 0x1A), Row(code: 0xAF, secrets: Secrets(frame: [1..<17], answer: [0..<17])),
    Row(code: 0x3A, kind: .read), Row(code: 0x39, kind: .read), Row(code: 0x3C, kind: .read),
    // Not as the chip's firmware knows them, but the same to the tag.
    Row(
      code: 0xA0, isTrailer: true, kind: .write, secrets: Secrets(frame: [2..<8, 12..<18])),
    Row(code: 0xA0, kind: .write), Row(code: 0xA2, kind: .write), Row(code: 0xB0, kind: .write),
    Row(
      code: 0x30, isTrailer: true, kind: .read, secrets: Secrets(answer: [0..<6, 10..<16])),
    Row(code: 0x30, kind: .read),
  ]

  /// A whole frame starts with its length and bears the tag's IDm, or polls; else what follows the
  /// code follows the IDm. The answer is handed out as it came, without its length.
  private init(rawFeliCa bytes: [UInt8], idm: [UInt8]) {
    let isPolling = bytes.first == 0x00
    let isWhole =
      bytes.first.map(Int.init) == bytes.count && bytes.count > 1
      && (bytes[1] == 0x00 || Array(bytes.dropFirst(2).prefix(8)) == idm)
    var frame = isWhole ? Array(bytes.dropFirst()) : bytes
    if !isWhole, !isPolling, Array(bytes.dropFirst().prefix(8)) != idm {
      frame.insert(contentsOf: idm, at: min(1, frame.count))
    }
    let isWrite = frame.first == 0x08
    self.init(
      frame, kind: frame.first == 0x06 ? .read : isWrite ? .write : .other,
      addressing: .length, work: isWrite ? .programming : .answer,
      secrets: isWrite ? Secrets(frame: [Self.cardKeyOffset(in: frame)]) : .none,
      asks: Self.asked(byFeliCa: frame))
  }

  /// Where the data of Write Without Encryption stand if a block of it is the card key: behind
  /// code, IDm, service list and block list, whose elements have 2 bytes where bit 7 of the first
  /// is set, else 3 (JIS X 6319-4).
  private static func cardKeyOffset(in frame: [UInt8]) -> Range<Int> {
    guard frame.count > 9 else { return 0..<0 }
    let list = 10 + 2 * Int(frame[9])
    guard frame.count > list else { return 0..<0 }
    var (offset, isCardKey) = (list + 1, false)
    for _ in 0..<frame[list] where offset + 1 < frame.count {
      isCardKey = isCardKey || frame[offset + 1] == feliCaCardKey
      offset += frame[offset] & 0x80 != 0 ? 2 : 3
    }
    return isCardKey ? offset..<256 : 0..<0
  }
}
