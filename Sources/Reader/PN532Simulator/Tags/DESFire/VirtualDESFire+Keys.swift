/// Key settings and keys of what is selected.
extension VirtualDESFire {
  /// GetKeySettings: the settings, then number and kind of keys.
  func keySettings() throws(DESFireStatus) -> [UInt8] {
    let structure = structure
    guard let index = structure.index(of: selected) else {
      guard isMaster || structure.settings & 0x02 != 0 else { throw .authentication }
      return [structure.settings, structure.masterKey.kind.rawValue | 0x01]
    }
    let application = structure.applications[index]
    guard isMaster || application.settings & 0x02 != 0 else { throw .authentication }
    return [application.settings, application.kind.rawValue | UInt8(application.keys.count)]
  }

  /// ChangeKeySettings, where the settings say that they may be changed.
  func changeKeySettings(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard isMaster else { throw .authentication }
    var structure = structure
    let new = try opened(0x54, data, header: 0, count: 1)[0]
    if let index = structure.index(of: selected) {
      guard structure.applications[index].settings & 0x08 != 0 else { throw .permission }
      structure.applications[index].settings = new
    } else {
      guard structure.settings & 0x08 != 0 else { throw .permission }
      structure.settings = new & 0x0F
    }
    try replace(structure)
    return []
  }

  /// GetKeyVersion; nobody need be authenticated.
  func keyVersion(_ number: UInt8) throws(DESFireStatus) -> [UInt8] {
    guard let key = key(number) else { throw .noSuchKey }
    return [key.version]
  }

  /// ChangeKey: the number (on the card itself with the new kind), then enciphered the new key,
  /// where another one opened the session XOR the old one, for AES its version, and one or two
  /// checksums.
  func changeKey(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
    guard let session else { throw .authentication }
    guard let head = data.first, data.count > 1 else { throw .length }
    let isCard = selected == 0
    let number = head & 0x0F
    guard !isCard || number == 0, let old = key(number) else { throw .noSuchKey }
    guard let kind = isCard ? DESFireKey.Kind(rawValue: head & 0xC0) : old.kind else {
      throw .parameter
    }
    try checkRight(toChange: number, session.keyNumber)
    let isOwn = session.keyNumber == number
    let plain = try openedKey(data, kind: kind, isOwn: isOwn)
    var bytes = Array(plain[..<kind.byteCount])
    if !isOwn { bytes = zip(bytes, old.bytes).map { $0 ^ $1 } }
    if !isOwn, plain.suffix(session.checkSize) != session.check([], bytes)[...] {
      throw .integrity
    }
    // A DES key's version is made of its parity bits.
    let version =
      kind == .aes
      ? plain[kind.byteCount] : bytes[..<8].reduce(0) { $0 << 1 | ($1 & 1) }
    try store(DESFireKey(kind: kind, bytes: bytes, version: version), number: number)
    if isOwn { self.session = nil }
    return []
  }

  /// The plain text of a ChangeKey without its padding: the key, perhaps a version, and (left in
  /// place where there are two) the checksum of the new key. The first checksum, over all that was
  /// sent, is right.
  private func openedKey(
    _ data: [UInt8], kind: DESFireKey.Kind, isOwn: Bool
  ) throws(DESFireStatus) -> [UInt8] {
    guard var session else { throw .authentication }
    let cryptogram = Array(data.dropFirst())
    guard cryptogram.count.isMultiple(of: session.blockSize) else { throw .length }
    let plain = session.decrypt(cryptogram)
    self.session = session
    let count = kind.byteCount + (kind == .aes ? 1 : 0)
    let end = count + session.checkSize * (isOwn ? 1 : 2)
    guard plain.count >= end, plain.count - end < session.blockSize else { throw .length }
    let content = Array(plain[..<count])
    let wanted = session.check([0xC4, data[0]], content)
    guard Array(plain[count..<count + session.checkSize]) == wanted,
      plain[end...].allSatisfy({ $0 == 0 })
    else { throw .integrity }
    return content + plain[(count + session.checkSize)..<end]
  }

  /// The settings say which key changes keys; the master key is changed with itself.
  private func checkRight(toChange number: UInt8, _ opener: UInt8) throws(DESFireStatus) {
    guard let index = structure.index(of: selected) else {
      guard structure.settings & 0x01 != 0 else { throw .permission }
      return
    }
    let settings = structure.applications[index].settings
    if number == 0 {
      guard opener == 0 else { throw .authentication }
      guard settings & 0x01 != 0 else { throw .permission }
      return
    }
    switch settings >> 4 {
    case 0xF: throw .permission
    case 0xE: guard opener == number else { throw .authentication }
    case let changer:
      // The key that changes keys is itself changed with the master key.
      guard opener == (number == changer ? 0 : changer) else { throw .authentication }
    }
  }

  private func store(_ key: DESFireKey, number: UInt8) throws(DESFireStatus) {
    var structure = structure
    if let index = structure.index(of: selected) {
      structure.applications[index].keys[Int(number)] = key
    } else {
      structure.masterKey = key
    }
    try replace(structure)
  }
}
