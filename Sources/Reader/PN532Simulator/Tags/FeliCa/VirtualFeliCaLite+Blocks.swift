extension VirtualFeliCaLite {
  /// Read Without Encryption: at most four blocks, and what they hold. MAC and MAC_A speak of the
  /// blocks named before them.
  func read(_ bytes: [UInt8]) throws(BlockRequest.Refusal) -> (count: Int, data: [UInt8]) {
    let request = try BlockRequest(bytes, isRead: true, limit: 4)
    var data: [UInt8] = []
    for (place, block) in request.blocks.enumerated() {
      let last = place == request.blocks.count - 1
      switch block {
      case FeliCaBlock.mac:
        guard last else { throw BlockRequest.Refusal(.illegalBlock, at: place) }
        data += padded(place > 0 ? session?.mac(of: data) : nil)
      case FeliCaBlock.macA where silicon.authenticatesWrites:
        guard last else { throw BlockRequest.Refusal(.illegalBlock, at: place) }
        data += padded(session?.macA(ofBlocks: request.blocks, data: data))
      default: data += try read(block, at: place)
      }
    }
    return (request.blocks.count, data)
  }

  private func read(_ block: Int, at place: Int) throws(BlockRequest.Refusal) -> [UInt8] {
    switch block {
    // Neither is ever shown.
    case FeliCaBlock.challenge, FeliCaBlock.key: return padded(nil)
    case FeliCaBlock.writeCount where silicon.authenticatesWrites: return padded(writeCountBytes)
    case FeliCaBlock.state where silicon.authenticatesWrites:
      return padded([hostIsAuthenticated ? 0x01 : 0x00])
    default:
      guard FeliCaLiteSilicon.offset(of: block) != nil else {
        throw BlockRequest.Refusal(.illegalBlock, at: place)
      }
      if silicon.authenticatesWrites, block <= FeliCaBlock.register, !hostIsAuthenticated,
        configuration.isSet(.readNeedsAuthentication, block)
      {
        throw BlockRequest.Refusal(.notAuthenticated, at: place)
      }
      return stored(block)
    }
  }

  /// Write Without Encryption: one block, on a Lite-S a second one that holds its MAC. False: power
  /// was lost within it.
  func write(_ bytes: [UInt8]) throws(BlockRequest.Refusal) -> Bool {
    let limit = silicon.authenticatesWrites ? 2 : 1
    let request = try BlockRequest(bytes, isRead: false, limit: limit)
    let (block, data) = (request.blocks[0], Array(request.data[..<16]))
    var hasMAC = false
    if request.blocks.count == 2 {
      guard request.blocks[1] == FeliCaBlock.macA, block <= 0xFF else {
        throw BlockRequest.Refusal(.illegalBlock, at: 1)
      }
      hasMAC = true
      let wanted = session?.macA(ofWrite: data, to: block, count: writeCountBytes)
      guard wanted == Array(request.data[16..<24]) else {
        throw BlockRequest.Refusal(.wrongMAC, at: 1)
      }
    }
    return try write(data, to: block, hasMAC: hasMAC)
  }

  private func write(
    _ data: [UInt8], to block: Int, hasMAC: Bool
  ) throws(BlockRequest.Refusal) -> Bool {
    switch block {
    case FeliCaBlock.challenge:
      session = FeliCaSession(cardKey: stored(FeliCaBlock.key), challenge: data)
      hostIsAuthenticated = false
      return true
    case FeliCaBlock.state where silicon.authenticatesWrites:
      guard hasMAC || !configuration.stateNeedsMAC && data[0] & 0x01 == 0 else {
        throw BlockRequest.Refusal(.wrongMAC, at: 0)
      }
      hostIsAuthenticated = data[0] & 0x01 != 0
      return true
    default: break
    }
    guard let offset = FeliCaLiteSilicon.offset(of: block) else {
      throw BlockRequest.Refusal(.illegalBlock, at: 0)
    }
    try checkRight(to: block, hasMAC: hasMAC)
    let new = try admitted(data, to: block)
    switch eeprom.program(new, at: offset) {
    case .programmed:
      writeCount = min(writeCount + 1, 0xFF_FFFF)
      return true
    case .failed: throw BlockRequest.Refusal(.memoryError)
    case .powerLost:
      powerOff()
      return false
    }
  }

  /// ID, SER_C, CKV and CK are open until MC byte 2 is no longer FFh; D_ID and SYS_C never are. MC
  /// is open while any of its bytes is. On a Lite-S the key may stay open to a MAC.
  private func checkRight(to block: Int, hasMAC: Bool) throws(BlockRequest.Refusal) {
    let configuration = configuration
    guard block <= FeliCaBlock.register else {
      let isKey = block == FeliCaBlock.key || block == FeliCaBlock.keyVersion
      if block == FeliCaBlock.configuration, configuration.rightsAreOpen { return }
      let isSystem =
        isKey
        || [FeliCaBlock.id, FeliCaBlock.serviceCode, FeliCaBlock.configuration].contains(block)
      let opensWithMAC =
        isKey && silicon.authenticatesWrites && configuration.keyTakesMAC && hasMAC
        && hostIsAuthenticated
      guard isSystem, configuration.isOpen || opensWithMAC else {
        throw BlockRequest.Refusal(.notAllowed, at: 0)
      }
      return
    }
    guard configuration.isSet(.writable, block) else {
      throw BlockRequest.Refusal(.notAllowed, at: 0)
    }
    guard silicon.authenticatesWrites else { return }
    if configuration.isSet(.writeNeedsAuthentication, block), !hostIsAuthenticated {
      throw BlockRequest.Refusal(.notAuthenticated, at: 0)
    }
    if configuration.isSet(.writeNeedsMAC, block), !hasMAC {
      throw BlockRequest.Refusal(.wrongMAC, at: 0)
    }
  }

  /// What the cells of `block` get when `data` are written: some bytes never change, some bits go
  /// one way.
  private func admitted(_ data: [UInt8], to block: Int) throws(BlockRequest.Refusal) -> [UInt8] {
    switch block {
    case FeliCaBlock.register:
      guard decreases(to: data) else { throw BlockRequest.Refusal(.writeFailed, at: 0) }
      return data
    case FeliCaBlock.id: return Array(stored(block)[..<8] + data[8...])
    case FeliCaBlock.serviceCode, FeliCaBlock.keyVersion: return padded(Array(data[..<2]))
    case FeliCaBlock.configuration: return configuration.replaced(by: data, on: silicon)
    default: return data
    }
  }

  /// The subtraction register: two 4-byte numbers, low byte first, that never grow.
  private func decreases(to new: [UInt8]) -> Bool {
    let old = stored(FeliCaBlock.register)
    return [0, 4].allSatisfy { start in
      let number = { (bytes: [UInt8]) in
        bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      return number(new) <= number(old)
    }
  }

  private var writeCountBytes: [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: writeCount >> (8 * $0)) }
  }

  /// A block that starts with `bytes`; the rest is zeros.
  private func padded(_ bytes: [UInt8]?) -> [UInt8] {
    let bytes = bytes ?? []
    return bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
  }
}
