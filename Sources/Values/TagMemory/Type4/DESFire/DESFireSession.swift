import CardCrypto

/// What holds between reader and card once they have authenticated: how commands are encrypted, and
/// answers proven.
///
/// In a session of EV1's kind every command and answer enters a chain of codes; the first eight
/// bytes of an answer's code stand behind its data. The first generation only encrypts what must be
/// (MF3ICDx21, 9.2; libfreefare, `mifare_desfire_crypto.c`).
package struct DESFireSession: Hashable, Sendable {
  let key: DESFireKey
  /// The number of the key that was proven.
  package let keyNumber: UInt8
  package let isFirstGeneration: Bool
  private var chain: [UInt8]

  /// A fresh one, whose chain is zeros.
  init(
    _ key: DESFireKey, keyNumber: UInt8, isFirstGeneration: Bool, chain: [UInt8]? = nil
  ) {
    (self.key, self.keyNumber, self.isFirstGeneration) = (key, keyNumber, isFirstGeneration)
    self.chain = chain ?? [UInt8](repeating: 0, count: key.cipher.blockByteCount)
  }

  /// A command whose data go as they are.
  package mutating func plain(_ command: DESFireCommand) -> DESFireCommand {
    guard !isFirstGeneration else { return command }
    chain = key.cipher.authenticationCode(
      of: [command.instruction] + command.data, iv: chain)
    return command
  }

  /// A command whose data behind the first `header` bytes are encrypted, with a checksum.
  package mutating func enciphered(_ command: DESFireCommand, header: Int) -> DESFireCommand {
    let (head, data) = (Array(command.data.prefix(header)), Array(command.data.dropFirst(header)))
    let cipher = key.cipher
    guard !isFirstGeneration else {
      let padded = Self.padded(data + CRCA.bytes(of: data), to: cipher.blockByteCount)
      return DESFireCommand(command.instruction, head + cipher.chainDecrypting(padded))
    }
    let checksum = CRC32.bytes(of: [command.instruction] + command.data)
    let sent = cipher.encrypt(
      Self.padded(data + checksum, to: cipher.blockByteCount), iv: chain)
    chain = Array(sent.suffix(chain.count))
    return DESFireCommand(command.instruction, head + sent)
  }

  /// ChangeKey for the key that was proven; the session ends with it. `version` goes with an AES
  /// key.
  package mutating func changeKey(to new: DESFireKey, version: UInt8) -> DESFireCommand {
    enciphered(
      DESFireCommand(
        0xC4, [keyNumber] + new.bytes + (new.kind == .aes ? [version] : [])), header: 1)
  }

  /// The data of an answer with its status, once its code is checked; nil where the code is wrong.
  /// An answer too short for a code has none.
  package mutating func opened(_ answer: [UInt8], status: UInt8) -> [UInt8]? {
    guard !isFirstGeneration else { return answer }
    let data = Array(answer.dropLast(min(answer.count, 8)))
    guard answer.count >= 8 else {
      chain = key.cipher.authenticationCode(of: answer + [status], iv: chain)
      return answer
    }
    chain = key.cipher.authenticationCode(of: data + [status], iv: chain)
    return Array(answer.suffix(8)) == Array(chain.prefix(8)) ? data : nil
  }

  // MARK: The card's side

  /// Takes a command as it was sent. `isEnciphered`: its data end with encrypted blocks.
  package mutating func receive(_ command: DESFireCommand, isEnciphered: Bool) {
    guard isEnciphered, !isFirstGeneration else {
      _ = plain(command)
      return
    }
    let tail = command.data.suffix(chain.count)
    if tail.count == chain.count { chain = Array(tail) }
  }

  /// `data` of an answer that says that all is well, with their code.
  package mutating func answer(_ data: [UInt8]) -> [UInt8] {
    guard !isFirstGeneration else { return data }
    chain = key.cipher.authenticationCode(of: data + [0], iv: chain)
    return data + chain.prefix(8)
  }

  private static func padded(_ bytes: [UInt8], to size: Int) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (size - bytes.count % size) % size)
  }
}

extension DESFireSession: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}
