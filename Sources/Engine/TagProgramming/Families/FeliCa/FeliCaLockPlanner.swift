import TagMemory

/// Plans a FeliCa Lite or Lite-S read-only for good: the attribute block says so first, then the
/// memory configuration takes away the permission to write its blocks, and is closed itself, in one
/// write.
///
/// Closed with it, permanently: ID, card key and its version, system code. REG, which only counts
/// down, is left open.
struct FeliCaLockPlanner {
  let state: FeliCaState

  func plan() throws(JobFailure) -> TagProgram {
    guard state.chip.isLite else {
      throw JobFailure(
        .feliCa(.notLockable(state.chip.product)), remedy: .useLockableFeliCa)
    }
    guard let configuration = state.configuration else { throw JobFailure(.feliCa(.notRead)) }
    guard let block0 = state[AttributeBlock.number] else {
      throw JobFailure(.feliCa(.cardKeyToRead([AttributeBlock.number])), remedy: .useKeysProgram)
    }
    // What this run has sent and the tag has not kept is sent again, as far as the tag takes it.
    let sent = state.sent[MemoryConfiguration.block]
    guard sent != nil || configuration.canBeLocked else { throw openForGood(configuration) }
    var program = TagProgram(.locks)
    let head = try attributes(block0, configuration)
    let isWrong = sent != nil && sent != configuration.serialize() && configuration.canLock
    let isClosed = configuration.isFrozen && configuration.isLocked && !isWrong
    let locked = configuration.locking(MemoryConfiguration.userBlocks).frozen
    if configuration.isFrozen, !isClosed {
      // Whether the tag still takes its permissions away shows before anything else is changed.
      guard configuration.canLock else { throw openForGood(configuration) }
      let first = configuration.locking(1...MemoryConfiguration.userBlocks.upperBound)
      if first != configuration { add(first.serialize(), to: MemoryConfiguration.block, &program) }
    }
    if let head { add(head, to: AttributeBlock.number, &program) } else { program.unchanged += 1 }
    if !isClosed, locked != configuration {
      add(locked.serialize(), to: MemoryConfiguration.block, &program)
    } else {
      program.unchanged += 1
    }
    return program
  }

  /// The attribute block to write; nil where it says already that nobody may write, or can say
  /// nothing any more.
  private func attributes(_ block0: [UInt8], _ configuration: MemoryConfiguration)
    throws(JobFailure) -> [UInt8]?
  {
    let wanted: AttributeBlock
    let attributes = FeliCaAttributes(state: state)
    if case .whole(let block) = attributes.found {
      wanted = block.readOnly
    } else if let torn = attributes.beingLocked {
      wanted = torn
    } else {
      // Locked as it is, at the operator's word: nothing there is an attribute block.
      return nil
    }
    let bytes = wanted.serialize()
    guard bytes != block0 else { return nil }
    guard configuration.isFree(AttributeBlock.number) else {
      // Nobody can write it, whatever it says.
      guard configuration.isWritable(AttributeBlock.number) else { return nil }
      throw JobFailure(
        .feliCa(.cardKeyNeeded([AttributeBlock.number])), remedy: .useKeysProgram)
    }
    return bytes
  }

  private func add(_ bytes: [UInt8], to block: UInt16, _ program: inout TagProgram) {
    program.steps += [
      TagProgram.Step(.write(bytes, .lock), at: .feliCaBlock(block)),
      TagProgram.Step(.check(bytes.map { $0 }), at: .feliCaBlock(block)),
    ]
  }

  private func openForGood(_ configuration: MemoryConfiguration) -> JobFailure {
    let open = FeliCaState.userBlocks.filter(configuration.isWritable)
    return JobFailure(.feliCa(.openForGood(Array(open))), remedy: .useTagThatLocks)
  }
}
