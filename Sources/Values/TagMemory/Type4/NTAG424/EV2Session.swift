import CardCrypto

/// What holds between reader and NTAG 424 DNA once they have authenticated: how commands and
/// answers are proven and encrypted (NT4H2421Gx, 9.1.4 to 9.1.10).
///
///     code of a command   CMAC(KMAC, INS ‖ counter ‖ TI ‖ header ‖ data as sent), shortened
///     code of an answer   the same over status ‖ counter + 1 ‖ TI ‖ data as sent
///     vector of CBC       AES(KENC, A55A ‖ TI ‖ counter ‖ zeros), answers: 5AA5, counter + 1
///
/// Shortened codes have every second byte. The counter, low byte first, counts the commands since
/// the first authentication.
///
/// A tag in LRP mode makes codes and encrypts with the leakage resilient primitive (9.2): its
/// blocks are counted from the authentication on, commands and answers together.
package struct EV2Session: Hashable, Sendable {
  /// The number of the key that was proven.
  package let keyNumber: UInt8
  var suite: Suite
  /// TI: the card's name for the run of commands.
  let transaction: [UInt8]
  package internal(set) var counter: UInt16

  /// What codes and ciphertexts are made with.
  enum Suite: Hashable, Sendable {
    case aes(encryption: AES128, authentication: AES128)
    /// `blocks` have been encrypted since the authentication, in commands and answers.
    case lrp(encryption: LRP, authentication: LRP, blocks: UInt32)
  }

  /// How a command's data travel.
  package enum Mode: UInt8, Hashable, Sendable {
    /// As they are.
    case plain = 0
    /// With a code behind them.
    case mac = 1
    /// Encrypted, with a code behind them.
    case full = 3
  }

  /// `encryption` and `authentication` are the session keys, 16 bytes each; `transaction` has 4.
  package init(
    keyNumber: UInt8, encryption: [UInt8], authentication: [UInt8], transaction: [UInt8],
    counter: UInt16 = 0
  ) {
    self.init(
      keyNumber: keyNumber,
      suite: .aes(
        encryption: AES128(key: encryption), authentication: AES128(key: authentication)),
      transaction: transaction, counter: counter)
  }

  init(keyNumber: UInt8, suite: Suite, transaction: [UInt8], counter: UInt16) {
    precondition(transaction.count == 4, "a TI has four bytes")
    (self.keyNumber, self.suite) = (keyNumber, suite)
    (self.transaction, self.counter) = (transaction, counter)
  }

  /// Is true if the tag is in LRP mode.
  package var usesLRP: Bool { if case .lrp = suite { true } else { false } }

  /// Returns this session under the transaction identifier that the card gave it.
  func named(_ transaction: [UInt8]) -> EV2Session {
    EV2Session(keyNumber: keyNumber, suite: suite, transaction: transaction, counter: counter)
  }

  /// `command` as it is sent: of its data the first `header` bytes stay as they are, and the rest
  /// goes as `mode` says.
  package mutating func wrapped(
    _ command: DESFireCommand, header: Int, _ mode: Mode
  ) -> DESFireCommand {
    guard mode != .plain else { return command }
    let head = Array(command.data.prefix(header))
    var data = Array(command.data.dropFirst(header))
    if mode == .full, !data.isEmpty { data = encrypted(Self.padded(data)) }
    let code = code([command.instruction], counter, head + data)
    return DESFireCommand(command.instruction, head + data + code)
  }

  /// The data of the answer to a command that was sent in `mode`, once its code is checked, and the
  /// counter one further; nil where the code or the padding is wrong.
  package mutating func opened(_ answer: [UInt8], status: UInt8 = 0x00, _ mode: Mode) -> [UInt8]? {
    counter &+= 1
    guard mode != .plain else { return answer }
    guard answer.count >= 8 else { return nil }
    let data = Array(answer.dropLast(8))
    guard code([status], counter, data) == Array(answer.suffix(8)) else { return nil }
    guard mode == .full, !data.isEmpty else { return data }
    guard data.count.isMultiple(of: 16) else { return nil }
    let plain = decrypted(data)
    guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 0x80 else { return nil }
    return Array(plain[..<end])
  }

  /// The data of a command; whole blocks.
  private mutating func encrypted(_ data: [UInt8]) -> [UInt8] {
    switch suite {
    case .aes(let encryption, _):
      return encryption.encrypt(data, iv: vector(0xA5, 0x5A, encryption))
    case .lrp(let encryption, let authentication, var blocks):
      var count = Self.highFirst(blocks)
      defer {
        blocks &+= UInt32(data.count / 16)
        suite = .lrp(encryption: encryption, authentication: authentication, blocks: blocks)
      }
      return encryption.encrypt(data, counter: &count)
    }
  }

  /// The data of an answer; whole blocks.
  mutating func decrypted(_ data: [UInt8]) -> [UInt8] {
    switch suite {
    case .aes(let encryption, _):
      return encryption.decrypt(data, iv: vector(0x5A, 0xA5, encryption))
    case .lrp(let encryption, let authentication, var blocks):
      var count = Self.highFirst(blocks)
      defer {
        blocks &+= UInt32(data.count / 16)
        suite = .lrp(encryption: encryption, authentication: authentication, blocks: blocks)
      }
      return encryption.decrypt(data, counter: &count)
    }
  }

  func vector(_ first: UInt8, _ second: UInt8, _ encryption: AES128) -> [UInt8] {
    encryption.encryptBlock(
      [first, second] + transaction + Self.lowFirst(counter) + [UInt8](repeating: 0, count: 8))
  }

  func code(_ first: [UInt8], _ counter: UInt16, _ rest: [UInt8]) -> [UInt8] {
    let message = first + Self.lowFirst(counter) + transaction + rest
    return switch suite {
    case .aes(_, let authentication): authentication.shortCode(of: message)
    case .lrp(_, let authentication, _): authentication.shortCode(of: message)
    }
  }

  static func highFirst(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func lowFirst(_ value: UInt16) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  /// 80 and zeros up to a whole block, a block of its own where there was one.
  static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let padded = bytes + [0x80]
    return padded + [UInt8](repeating: 0, count: (16 - padded.count % 16) % 16)
  }
}

extension EV2Session: CustomStringConvertible, CustomReflectable {
  package var description: String { "a session opened with key \(keyNumber)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension AES128 {
  /// MACt (NT4H2421Gx, 9.1.3): the bytes 1, 3, 5 to 15 of the code of `message`.
  package func shortCode(of message: [UInt8]) -> [UInt8] {
    let whole = authenticationCode(of: message)
    return stride(from: 1, to: 16, by: 2).map { whole[$0] }
  }
}
