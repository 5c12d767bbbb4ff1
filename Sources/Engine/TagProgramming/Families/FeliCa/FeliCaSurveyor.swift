import Readers
import TagMemory

/// Reads of a Type 3 tag as little as a job needs.
struct FeliCaSurveyor {
  let session: FeliCaSession
  private(set) var state: FeliCaState

  init(_ session: FeliCaSession, knowing state: FeliCaState? = nil) {
    self.session = session
    self.state = state ?? FeliCaState(chip: session.chip)
    self.state.limit = session.reader.limit
    self.state.polled = session.tag.feliCa?.pmm ?? []
  }

  /// What every job needs: the attribute block; of a Lite in the same command the memory
  /// configuration and the first two blocks of a message.
  mutating func readHead() throws(ReaderError) {
    guard !state.chip.isLite else {
      return try read([AttributeBlock.number, MemoryConfiguration.block, 1, 2])
    }
    state.answered = try answersNDEF()
    if state.answered { try read([AttributeBlock.number]) }
  }

  /// Returns whether the system of NDEF is there; with an IDm of its own, commands go to that from
  /// then on.
  private func answersNDEF() throws(ReaderError) -> Bool {
    if session.tag.feliCa?.systemCode == Self.ndefSystem { return true }
    return try session.openNDEFSystem()
  }
  static let ndefSystem = FeliCaSession.ndefSystem

  /// The message that is there; to lock it, behind a damaged attribute block, too.
  mutating func readMessage(forLocking: Bool = false) throws(ReaderError) {
    if state.chip.isLite, forLocking, !FeliCaAttributes(state: state).isWhole {
      return try read(Array(FeliCaState.userBlocks))
    }
    guard let length = state.ndef?.messageLength else { return }
    try readMessageBlocks(AttributeBlock.blockCount(of: length))
  }

  /// What a message of `byteCount` bytes would stand on, as far as the tag has it; where block 0 is
  /// no attribute block all of the user memory, unless it may be lost.
  mutating func readForWriting(_ byteCount: Int, overwrite: Bool) throws(ReaderError) {
    let attributes = FeliCaAttributes(state: state)
    if state.chip.isLite, !attributes.isWhole, !overwrite {
      return try read(Array(FeliCaState.userBlocks))
    }
    let room = (try? attributes.base()).map { Int($0.messageBlockCount) } ?? 0
    let count = AttributeBlock.blockCount(of: byteCount)
    if count <= room { try readMessageBlocks(count) }
  }

  /// All that keeps something and shows it.
  mutating func readAll() throws(ReaderError) {
    if let lite = state.chip.lite { try read(lite.readableBlocks) } else { try readMessage() }
  }

  /// Takes note of what this run has written.
  mutating func noteSent() {
    state.firstSeen = session.seenBlocks
    for (place, bytes) in session.sent.all {
      guard let first = place.feliCaBlock else { continue }
      for (index, part) in bytes.feliCaBlocks.enumerated() {
        state.noteSent(part, to: first + UInt16(index))
      }
    }
  }

  /// Reads what this run has written.
  mutating func readSent() throws(ReaderError) { try read(state.sent.keys.sorted()) }

  private mutating func readMessageBlocks(_ count: Int) throws(ReaderError) {
    guard count > 0 else { return }
    try read((1...count).map { UInt16($0) })
  }

  /// Reads those of `blocks` that are not known yet.
  private mutating func read(_ blocks: [UInt16]) throws(ReaderError) {
    let missing = blocks.filter { state[$0] == nil && !state.hidden.contains($0) }
    let found = try session.read(missing, atOnce: state.blocksPerRead)
    for (block, bytes) in zip(missing, found) {
      if let bytes { state.note(bytes, at: block) } else { state.hidden.insert(block) }
    }
  }
}
