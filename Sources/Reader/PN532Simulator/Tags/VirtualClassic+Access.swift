extension VirtualClassic {
  /// The open sector's conditions and the key in use, if `block` lies in that sector, its access
  /// bits are valid and the key may be used at all.
  private func access(to block: Int) -> (rights: SectorRights, command: UInt8)? {
    guard let session, block < silicon.blockCount,
      ClassicSilicon.sector(ofBlock: block) == session.sector,
      let rights = SectorRights(trailer: stored(ClassicSilicon.trailer(ofSector: session.sector))),
      session.command == 0x60 || !rights.trailer.keyBIsData
    else { return nil }
    return (rights, session.command)
  }

  /// Returns whether `operation` on the data block `block` is open to the key in use.
  private func mayUse(_ block: Int, _ operation: (DataRights) -> KeyRight) -> Bool {
    let group = ClassicSilicon.group(ofBlock: block)
    guard group < 3, let access = access(to: block) else { return false }
    return operation(access.rights.data(group: group)).allows(access.command)
  }

  /// READ: 16 bytes. Of a trailer only what may be read shows, the rest is zeros.
  func read(_ block: Int) -> TagAnswer {
    if let signature = signature(in: block) { return .data(signature) }
    guard ClassicSilicon.group(ofBlock: block) == 3 else {
      return mayUse(block, \.read) ? .data(Array(stored(block))) : refuse()
    }
    guard let access = access(to: block) else { return refuse() }
    let rights = access.rights.trailer
    guard rights.readBits.allows(access.command) else { return refuse() }
    let bytes = Array(stored(block))
    let hidden = [UInt8](repeating: 0, count: 6)
    let keyB = rights.readKeyB.allows(access.command) ? Array(bytes[10...]) : hidden
    return .data(hidden + bytes[6..<10] + keyB)
  }

  /// WRITE, part 1: the block is checked now, the data come in the next frame. Block 0 is never
  /// writable.
  func beginWrite(_ block: Int) -> TagAnswer {
    guard block != 0, mayUse(block, \.write) || mayWriteTrailer(block) else { return refuse() }
    pending = .write(block: block)
    return .nibble(Nibble.ack)
  }

  private func mayWriteTrailer(_ block: Int) -> Bool {
    guard ClassicSilicon.group(ofBlock: block) == 3, let access = access(to: block) else {
      return false
    }
    let rights = access.rights.trailer
    return [rights.writeKeyA, rights.writeBits, rights.writeKeyB]
      .contains { $0.allows(access.command) }
  }

  /// Part 2 of WRITE and of the value operations.
  func finish(_ pending: Pending, with frame: [UInt8]) -> TagAnswer {
    switch pending {
    case .write(let block):
      guard frame.count == 16 else { return ignore() }
      guard ClassicSilicon.group(ofBlock: block) == 3 else { return program(frame, block: block) }
      return writeTrailer(frame, block: block)
    case .value(let command, let block): return finishValue(command, block: block, operand: frame)
    }
  }

  /// What may be written of a trailer is, in one cycle; the rest keeps its value. The bits are not
  /// looked at: invalid ones are stored, and the sector is lost.
  private func writeTrailer(_ new: [UInt8], block: Int) -> TagAnswer {
    guard let access = access(to: block) else { return refuse() }
    let rights = access.rights.trailer
    var bytes = Array(stored(block))
    let parts = [
      (rights.writeKeyA, 0..<6), (rights.writeBits, 6..<10), (rights.writeKeyB, 10..<16),
    ]
    for (right, range) in parts where right.allows(access.command) {
      bytes.replaceSubrange(range, with: new[range])
    }
    return program(bytes, block: block)
  }

  /// Decrement, increment or restore, part 1 (12.4): the block must be a value block.
  func beginValue(_ command: UInt8, block: Int) -> TagAnswer {
    guard block != 0, mayUse(block, command == 0xC1 ? \.increment : \.decrement),
      ValueBlock(parsing: stored(block)) != nil
    else { return refuse() }
    pending = .value(command: command, block: block)
    return .nibble(Nibble.ack)
  }

  /// Part 2: the operand. Nothing answers it; the result waits in the transfer buffer.
  func finishValue(_ command: UInt8, block: Int, operand: [UInt8]) -> TagAnswer {
    guard operand.count == 4, var value = ValueBlock(parsing: stored(block)) else {
      return refuse()
    }
    let amount = Int32(truncatingIfNeeded: operand.reversed().reduce(0) { $0 << 8 | Int($1) })
    switch command {
    case 0xC0: value.value &-= amount
    case 0xC1: value.value &+= amount
    default: break
    }
    transferBuffer = value.serialize()
    return .silence
  }

  /// TRANSFER: the transfer buffer into a block of the open sector.
  func transfer(to block: Int) -> TagAnswer {
    guard block != 0, mayUse(block, \.decrement), let value = transferBuffer else {
      return refuse()
    }
    transferBuffer = nil
    return program(value, block: block)
  }
}

/// A value block (MF1S50YYX_V1, 8.6.2.1): value, its inverse, value; address, inverse, address,
/// inverse.
struct ValueBlock {
  var value: Int32
  let address: UInt8

  /// Nil unless all copies agree.
  init?(parsing block: some Collection<UInt8>) {
    let bytes = Array(block)
    value = Int32(
      truncatingIfNeeded: bytes[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    address = bytes[12]
    guard bytes == serialize() else { return nil }
  }

  func serialize() -> [UInt8] {
    let plain = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return plain + plain.map(~) + plain + [address, ~address, address, ~address]
  }
}
