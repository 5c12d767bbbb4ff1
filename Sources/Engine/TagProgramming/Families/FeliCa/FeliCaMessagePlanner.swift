import NDEF
import TagMemory

/// Plans a message onto a Type 3 tag, or a tag without one made fit for NDEF.
///
/// A blank FeliCa Lite answers as an NDEF tag first, while there is nothing to be found on it. Then
/// the attribute block says that a message is being written, the blocks follow, and the attribute
/// block says last that it is whole, with its length (NFC Forum Type 3 Tag 1.0, 6.3.2). Whoever
/// reads the tag in between finds no message.
struct FeliCaMessagePlanner {
  let state: FeliCaState
  /// Nil: no other than the one that is there.
  let message: [UInt8]?
  let overwrite: Bool

  /// The parts, the format first; throws where the tag cannot or must not take the message.
  func parts() throws(JobFailure) -> [(kind: TagProgram.Phase.Kind, program: TagProgram)] {
    let format = try formatting()
    let attributes = FeliCaAttributes(state: state)
    let base = try attributes.base()
    try requireReadable(base)
    if !overwrite, let block = attributes.foreignBlock(for: message) { throw foreign(block) }
    let update = try writing(base)
    var whole = format
    whole.append(update)
    whole.showing = update.showing
    if format.changesTag {
      // What stands there already is switched off before anybody looks for it.
      let isOff = isWhole && update.steps.first?.purpose == .switchOff
      let count = isOff ? 1 : 0
      whole.steps = update.steps.prefix(count) + format.steps + update.steps.dropFirst(count)
      whole.showing = update.showing?.unseen(before: count, until: format.steps, as: .notNDEF)
    }
    return [(message == nil ? .format : .message, whole)]
  }

  // MARK: The format

  /// Makes a FeliCa Lite answer to the system code of NDEF.
  private func formatting() throws(JobFailure) -> TagProgram {
    var program = TagProgram(.format)
    guard state.chip.isLite else {
      guard state.answered else { throw notNDEF }
      return program
    }
    guard let configuration = state.configuration else {
      throw JobFailure(.feliCa(.notRead))
    }
    guard let wanted = configuration.declaringNDEF else {
      throw JobFailure(.feliCa(.closedWithoutNDEF), remedy: .useAnotherTag)
    }
    guard configuration.isFree(AttributeBlock.number) || isWhole else {
      throw closed([AttributeBlock.number], by: configuration)
    }
    // An attribute block over no block at all would be a format that holds nothing.
    guard configuration.messageBlockCount > 0 || isWhole else {
      throw closed([AttributeBlock.number + 1], by: configuration)
    }
    guard let bytes = toWrite(wanted, over: configuration)?.serialize() else { return program }
    let place = Place.feliCaBlock(MemoryConfiguration.block)
    program.steps = [
      TagProgram.Step(.write(bytes, .systemCode), at: place),
      TagProgram.Step(.check(bytes), at: place),
    ]
    return program
  }

  /// The memory configuration to write; nil where it is right. What this run has sent and the tag
  /// has not kept is sent again, as far as the tag still takes it.
  private func toWrite(_ wanted: MemoryConfiguration, over found: MemoryConfiguration)
    -> MemoryConfiguration?
  {
    if let sent = state.sent[MemoryConfiguration.block].flatMap(state.configuration),
      !sent.isFrozen, sent != found, found.canBecome(sent)
    {
      return sent
    }
    return wanted == found ? nil : wanted
  }

  private var isWhole: Bool { FeliCaAttributes(state: state).isWhole }

  // MARK: The message

  private func writing(_ base: AttributeBlock) throws(JobFailure) -> TagProgram {
    let bytes = try content(base)
    let wanted = base.holding(bytes?.count ?? base.length)
    let units = (bytes ?? []).feliCaBlocks.map { block in
      block + [UInt8](repeating: 0, count: AttributeBlock.byteCount - block.count)
    }
    var program = TagProgram(.message)
    let isRight = isWhole && !base.isBeingWritten && base.length <= base.capacity
    // A tag that is being written shows no message.
    var showing = Showing(isRight ? .oldMessage : .noMessage)
    let differing = units.indices.filter { state[UInt16($0 + 1)] != units[$0] }
    let isHeadRight = state[AttributeBlock.number] == wanted.serialize()
    program.unchanged = units.count - differing.count + (isHeadRight ? 1 : 0)
    guard !differing.isEmpty || !isHeadRight else {
      program.showing = Showing(message == nil ? .oldMessage : .newMessage)
      return program
    }

    let head = Place.feliCaBlock(AttributeBlock.number)
    let begun = base.beingWritten.serialize()
    if !differing.isEmpty, !saysItIsBeingWritten {
      showing.change(to: .noMessage, after: program.steps.count)
      program.steps.append(TagProgram.Step(.write(begun, .switchOff), at: head))
    }
    for run in runs(of: differing, atMost: state.blocksPerWrite(by: base)) {
      program.steps.append(
        TagProgram.Step(
          .write(run.flatMap { units[$0] }, .content),
          at: .feliCaBlock(UInt16(run.lowerBound + 1))))
    }
    showing.change(
      to: bytes == nil ? .oldMessage : message == nil ? .emptyMessage : .newMessage,
      after: program.steps.count)
    program.showing = showing
    program.steps.append(TagProgram.Step(.write(wanted.serialize(), .switchOn), at: head))
    try requireRights(for: program, base)
    let expected = wanted.serialize() + units.flatMap(\.self)
    program.steps.append(TagProgram.Step(.check(expected.map { $0 }), at: head))
    return program
  }

  /// The bytes to write; nil where the message that is there stays.
  private func content(_ base: AttributeBlock) throws(JobFailure) -> [UInt8]? {
    guard let message else {
      let keeps = isWhole && !base.isBeingWritten && base.length <= base.capacity
      return keeps ? nil : []
    }
    guard message.count <= base.capacity else {
      throw JobFailure(
        .messageTooLong(
          byteCount: message.count, capacity: base.capacity, tag: "\(state.chip.product)"),
        remedy: .shortenMessage)
    }
    return message
  }

  /// Is true if the tag itself says so now, and would say so to a later run of this job.
  private var saysItIsBeingWritten: Bool {
    let block = state[AttributeBlock.number].flatMap { try? AttributeBlock(parsing: $0) }
    return block?.isBeingWritten ?? false
  }

  /// Blocks that follow one another, at most `limit` together.
  private func runs(of blocks: [Int], atMost limit: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for block in blocks {
      if let last = runs.last, last.upperBound == block, last.count < limit {
        runs[runs.count - 1] = last.lowerBound..<block + 1
      } else {
        runs.append(block..<block + 1)
      }
    }
    return runs
  }

  // MARK: What the tag allows

  /// What is written is read back, and read by telephones: nothing is written to blocks that show
  /// themselves to the card key alone.
  private func requireReadable(_ base: AttributeBlock) throws(JobFailure) {
    guard let configuration = state.configuration else { return }
    let count = min(
      AttributeBlock.blockCount(of: message?.count ?? base.length), Int(base.messageBlockCount))
    let blocks = (0...UInt16(count)).filter(configuration.needsKeyToRead)
    guard blocks.isEmpty else {
      throw JobFailure(.feliCa(.cardKeyToRead(blocks)), remedy: .useKeysProgram)
    }
  }

  private func requireRights(for program: TagProgram, _ base: AttributeBlock) throws(JobFailure) {
    if isWhole, !base.allowsWriting {
      throw JobFailure(.feliCa(.readOnly), remedy: .useAnotherTag)
    }
    guard let configuration = state.configuration else { return }
    let written = Set(program.steps.compactMap { $0.written?.place.feliCaBlock })
    let refused = written.filter { !configuration.isFree($0) }
    guard refused.isEmpty else { throw closed(refused, by: configuration) }
  }

  private func closed(_ blocks: Set<UInt16>, by configuration: MemoryConfiguration)
    -> JobFailure
  {
    let locked = blocks.filter { !configuration.isWritable($0) }
    guard locked.isEmpty else {
      return JobFailure(.feliCa(.locked(locked.sorted())), remedy: .useAnotherTag)
    }
    return JobFailure(.feliCa(.cardKeyNeeded(blocks.sorted())), remedy: .useKeysProgram)
  }

  private func foreign(_ block: UInt16) -> JobFailure {
    JobFailure(
      .feliCa(.notBlank(block, declaresNDEF: state.declaresNDEF)), remedy: .permitOverwrite)
  }

  private var notNDEF: JobFailure {
    JobFailure(.feliCa(.notNDEF(state.chip.product)), remedy: .useFeliCaLite)
  }
}
