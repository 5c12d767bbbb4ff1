import CardCrypto

/// The tag's side of a session.
extension EV2Session {
  /// Takes a command that ends with `count` encrypted bytes and its code: in LRP mode its blocks
  /// count.
  package mutating func receive(encrypted count: Int) {
    guard case .lrp(let encryption, let authentication, let blocks) = suite else { return }
    suite = .lrp(
      encryption: encryption, authentication: authentication, blocks: blocks &+ UInt32(count / 16))
  }

  /// The answer to that command, `data` sent in `mode`; the counter is one further then.
  package mutating func answer(_ data: [UInt8], _ mode: Mode) -> [UInt8] {
    counter &+= 1
    guard mode != .plain else { return data }
    let sent = mode == .full && !data.isEmpty ? enciphered(Self.padded(data)) : data
    return sent + code([0x00], counter, sent)
  }

  private mutating func enciphered(_ blocks: [UInt8]) -> [UInt8] {
    switch suite {
    case .aes(let encryption, _):
      return encryption.encrypt(blocks, iv: vector(0x5A, 0xA5, encryption))
    case .lrp(let encryption, _, let number):
      var count = Self.highFirst(number)
      receive(encrypted: blocks.count)
      return encryption.encrypt(blocks, counter: &count)
    }
  }
}
