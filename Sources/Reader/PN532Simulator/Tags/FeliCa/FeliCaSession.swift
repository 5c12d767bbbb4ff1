import CardCrypto

/// What a FeliCa Lite computes with its card key once a challenge was written (FeliCa Lite-S User's
/// Manual; nfcpy `tt3_sony.py`).
///
/// The tag counts bytes from the low end: each eight bytes are turned round before and after the
/// cipher.
struct FeliCaSession {
  private let key: [UInt8]
  private let start: [UInt8]

  /// `cardKey` as block CK holds it, `challenge` as block RC was written.
  init(cardKey: [UInt8], challenge: [UInt8]) {
    let random = Self.turned(challenge)
    key = TripleDES(key: Self.turned(cardKey)).encrypt(random, iv: TripleDES.zero)
    start = Array(random[..<8])
  }

  /// The MAC of whole 8-byte blocks. Writing uses the key's halves the other way round.
  func mac(of data: [UInt8], forWriting: Bool = false) -> [UInt8] {
    let key = forWriting ? Array(key[8...] + key[..<8]) : key
    return Array(TripleDES(key: key).encrypt(Self.turned(data), iv: start).suffix(8).reversed())
  }

  /// MAC_A of a read: the block numbers of the list, then what the blocks hold.
  func macA(ofBlocks blocks: [Int], data: [UInt8]) -> [UInt8] {
    let list = blocks.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return mac(of: list + [UInt8](repeating: 0xFF, count: 8 - list.count) + data)
  }

  /// MAC_A that must come with a write of `data` to `block` at this write count (3 bytes).
  func macA(ofWrite data: [UInt8], to block: Int, count: [UInt8]) -> [UInt8] {
    let head = count + [0x00, UInt8(block), 0x00, UInt8(FeliCaBlock.macA), 0x00]
    return mac(of: head + data, forWriting: true)
  }

  private static func turned(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 8).flatMap { bytes[$0..<$0 + 8].reversed() }
  }
}
