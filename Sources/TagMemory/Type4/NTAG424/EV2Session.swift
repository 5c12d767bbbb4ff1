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
package struct EV2Session: Hashable, Sendable {
  /// The number of the key that was proven.
  package let keyNumber: UInt8
  private let encryption: AES128
  private let authentication: AES128
  /// TI: the card's name for the run of commands.
  let transaction: [UInt8]
  package private(set) var counter: UInt16

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
    precondition(transaction.count == 4, "a TI has four bytes")
    self.keyNumber = keyNumber
    self.encryption = AES128(key: encryption)
    self.authentication = AES128(key: authentication)
    (self.transaction, self.counter) = (transaction, counter)
  }

  /// `command` as it is sent: of its data the first `header` bytes stay as they are, and the rest
  /// goes as `mode` says.
  package func wrapped(_ command: DESFireCommand, header: Int, _ mode: Mode) -> DESFireCommand {
    guard mode != .plain else { return command }
    let head = Array(command.data.prefix(header))
    var data = Array(command.data.dropFirst(header))
    if mode == .full, !data.isEmpty {
      data = encryption.encrypt(Self.padded(data), iv: vector(0xA5, 0x5A, counter))
    }
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
    let plain = encryption.decrypt(data, iv: vector(0x5A, 0xA5, counter))
    guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 0x80 else { return nil }
    return Array(plain[..<end])
  }

  private func vector(_ first: UInt8, _ second: UInt8, _ counter: UInt16) -> [UInt8] {
    encryption.encryptBlock(
      [first, second] + transaction + Self.lowFirst(counter) + [UInt8](repeating: 0, count: 8))
  }

  private func code(_ first: [UInt8], _ counter: UInt16, _ rest: [UInt8]) -> [UInt8] {
    authentication.shortCode(of: first + Self.lowFirst(counter) + transaction + rest)
  }

  private static func lowFirst(_ value: UInt16) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  /// 80 and zeros up to a whole block, a block of its own where there was one.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
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
