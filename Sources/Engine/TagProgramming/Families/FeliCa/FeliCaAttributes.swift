import NDEF
import TagMemory

/// The attribute block that a job builds on, and whether what stands in its place may be somebody's
/// data.
struct FeliCaAttributes {
  let state: FeliCaState

  /// What is in block 0.
  enum Found: Hashable {
    /// An attribute block, whole.
    case whole(AttributeBlock)
    /// One that was torn: its fields that no write of a message changes.
    case torn(AttributeBlock)
    /// Nothing that has ever been one.
    case none
  }

  var found: Found {
    let found = state[AttributeBlock.number]
    if let found, let block = try? AttributeBlock(parsing: found) { return .whole(repaired(block)) }
    // What is there is torn: this run knows what it has sent, a later one the bytes that stay.
    // No checksum is zero, as it is where the first block of all was torn: its last field may be
    // half written.
    guard let bytes = state.meant(AttributeBlock.number), bytes.suffix(2) != [0, 0],
      var fields = AttributeBlock(fields: bytes), isPlausible(fields)
    else { return .none }
    // What a torn write leaves there says nothing; what every Lite has needs nobody to say it.
    (fields.writeFlag, fields.accessFlag, fields.length) = (0, AttributeBlock.open, 0)
    fields = normal(fields)
    return .torn(fields)
  }

  var isWhole: Bool { if case .whole = found { true } else { false } }

  /// The block to build on; `fresh` ones count the blocks that can be written one after the other.
  func base() throws(JobFailure) -> AttributeBlock {
    switch found {
    case .whole(let block), .torn(let block): return block
    case .none: break
    }
    guard let configuration = state.configuration else {
      throw JobFailure(.feliCa(.notFormatted), remedy: .useFeliCaLite)
    }
    return AttributeBlock(
      blocksPerRead: state.chip.blocksPerRead, blocksPerWrite: state.chip.blocksPerWrite,
      messageBlockCount: UInt16(configuration.messageBlockCount))
  }

  /// The attribute block that was being made read-only when its write was torn, as it was to be:
  /// its first bytes are new, one may hold anything, the others are old. Nil for anything else.
  var beingLocked: AttributeBlock? {
    guard let bytes = state[AttributeBlock.number], (try? AttributeBlock(parsing: bytes)) == nil
    else { return nil }
    if let sent = state.sent[AttributeBlock.number], let block = try? AttributeBlock(parsing: sent)
    {
      return block.accessFlag == 0 ? block : nil
    }
    return bytes.indices.lazy.compactMap { open(tornAt: $0, of: bytes) }.first?.readOnly
  }

  /// The open attribute block that `bytes` were, had a lock of it been torn at `place`: its first
  /// bytes are new, that one may hold anything, the others are old. What only that byte knew, the
  /// checksum tells; then the message behind the block must have just the length that this says.
  private func open(tornAt place: Int, of bytes: [UInt8]) -> AttributeBlock? {
    guard var open = AttributeBlock(fields: bytes) else { return nil }
    open.accessFlag = AttributeBlock.open
    let isDerived = place < AttributeBlock.checksumOffset && place != AttributeBlock.accessOffset
    if isDerived {
      var fields = open.serialize()
      fields[place] = 0
      let missing = Int(AttributeBlock.stored(in: bytes)) - Int(AttributeBlock.checksum(of: fields))
      guard let byte = UInt8(exactly: missing) else { return nil }
      fields[place] = byte
      guard let whole = AttributeBlock(fields: fields), isPlausible(whole),
        whole.length == lengthOfMessage
      else { return nil }
      open = whole
    }
    let (new, old) = (open.readOnly.serialize(), open.serialize())
    guard bytes.prefix(place) == new.prefix(place),
      bytes.dropFirst(place + 1) == old.dropFirst(place + 1),
      open == normal(open), open.majorVersion == 1, !open.isBeingWritten
    else { return nil }
    return repaired(open)
  }

  /// The length of the message that stands whole behind block 0, whatever block 0 says; nil where
  /// none does.
  private var lengthOfMessage: Int? {
    let bytes = FeliCaState.userBlocks.dropFirst().flatMap { state.meant($0) ?? [] }
    // Every message begins with the bit that says so (NDEF 1.0, 3.2.1).
    guard let first = bytes.first, first & 0x80 != 0 else { return nil }
    return bytes.indices.first { (try? Message(parsing: Array(bytes[...$0]))) != nil }.map {
      $0 + 1
    }
  }

  /// `fields` with what every Lite has alike.
  private func normal(_ fields: AttributeBlock) -> AttributeBlock {
    guard state.chip.isLite else { return fields }
    var block = fields
    (block.version, block.blocksPerRead) = (0x10, state.chip.blocksPerRead)
    (block.blocksPerWrite, block.reserved) = (state.chip.blocksPerWrite, [0, 0, 0, 0])
    return block
  }

  /// Blocks that a Lite does not have are not counted, and it reads and writes whatever the block
  /// says.
  private func repaired(_ block: AttributeBlock) -> AttributeBlock {
    guard state.chip.isLite else { return block }
    var copy = block
    copy.messageBlockCount = min(block.messageBlockCount, FeliCaState.userBlocks.upperBound)
    if copy.messageBlockCount == 0 {
      copy.messageBlockCount = UInt16(state.configuration?.messageBlockCount ?? 0)
    }
    if copy.blocksPerRead == 0 { copy.blocksPerRead = state.chip.blocksPerRead }
    if copy.blocksPerWrite == 0 { copy.blocksPerWrite = state.chip.blocksPerWrite }
    return copy
  }

  /// Returns whether the first nine bytes are those of an attribute block: no job here ever changes
  /// them, so that they survive a write that was torn in its middle.
  private func isPlausible(_ block: AttributeBlock) -> Bool {
    block.majorVersion == 1 && 1...15 ~= block.blocksPerRead && 1...13 ~= block.blocksPerWrite
      && block.messageBlockCount > 0 && block.reserved.allSatisfy { $0 == 0 }
      && (!state.chip.isLite || FeliCaState.userBlocks.contains(block.messageBlockCount))
  }

  /// The first block that holds what may be somebody's data; nil where nothing on the tag does.
  /// `message` is what the job writes.
  func foreignBlock(for message: [UInt8]?) -> UInt16? {
    guard state.chip.isLite else { return nil }
    switch found {
    case .whole: return nil
    case .torn: if state.declaresNDEF { return nil }
    case .none: break
    }
    let holding = FeliCaState.userBlocks.filter { (state.meant($0) ?? []).contains { $0 != 0 } }
    guard let first = holding.first else { return nil }
    // The tag says that it is NDEF: a message behind block 0, or nothing, is what a write leaves
    // that was torn there.
    if state.declaresNDEF, holding == [AttributeBlock.number] || holdsMessage(or: message) {
      return nil
    }
    return first
  }

  /// Returns whether a whole message, or the one to write, stands behind block 0.
  private func holdsMessage(or wanted: [UInt8]?) -> Bool {
    let bytes = FeliCaState.userBlocks.dropFirst().flatMap { state.meant($0) ?? [] }
    if let wanted, !wanted.isEmpty, bytes.starts(with: wanted) { return true }
    return lengthOfMessage != nil
  }
}
