import TagMemory

/// Plans the user memory of a dump onto a FeliCa Lite or Lite-S: blocks 1 to 13, then the attribute
/// block, while which the tag says that a message is being written.
///
/// Left alone, whatever the dump says: identity, keys, counters, and the memory configuration,
/// whose rights never come back.
struct FeliCaRestorePlanner {
  let state: FeliCaState
  let job: Restore

  func plan() throws(JobFailure) -> TagProgram {
    guard case .feliCaLite = job.image.layout, state.chip.isLite else {
      throw JobFailure(
        .feliCa(.dumpOfOtherType(state.chip.product)), remedy: .useTagOfDump)
    }
    guard let configuration = state.configuration else {
      throw JobFailure(.feliCa(.notRead))
    }
    var program = TagProgram(.restore)
    try declareNDEF(configuration, &program)
    let wanted = FeliCaState.userBlocks.compactMap { block in
      job.image.feliCaBlock(block).map { (block: block, bytes: $0) }
    }
    let differing = wanted.filter { state[$0.block] != $0.bytes }
    program.unchanged += wanted.count - differing.count
    guard !differing.isEmpty else { return program }
    let hidden = wanted.map(\.block).filter(configuration.needsKeyToRead)
    guard hidden.isEmpty else {
      throw JobFailure(.feliCa(.cardKeyToRead(hidden)), remedy: .useKeysProgram)
    }
    let refused = differing.map(\.block).filter { !configuration.isFree($0) }
    guard refused.isEmpty else {
      throw JobFailure(.feliCa(.closed(refused)), remedy: .useAnotherTag)
    }
    try add(differing, configuration, &program)
    program.showing = showing(program.steps, configuration)
    let checked = wanted.flatMap { $0.bytes.map(Optional.some) }
    if wanted.map(\.block) == Array(FeliCaState.userBlocks) {
      program.steps.append(TagProgram.Step(.check(checked), at: .feliCaBlock(0)))
    } else {
      for (block, bytes) in wanted {
        program.steps.append(TagProgram.Step(.check(bytes.map { $0 }), at: .feliCaBlock(block)))
      }
    }
    return program
  }

  /// Returns what readers find between the steps: what block 0 says, once the tag answers to NDEF.
  private func showing(_ steps: [TagProgram.Step], _ configuration: MemoryConfiguration) -> Showing
  {
    var (head, isFound, isNDEF) = (state[AttributeBlock.number], true, configuration.declaresNDEF)
    func shows() -> Shows {
      let block = head.flatMap { try? AttributeBlock(parsing: $0) }
      guard isNDEF else { return .notNDEF }
      guard let block, !block.isBeingWritten, block.length <= block.capacity else {
        return .noMessage
      }
      return isFound ? .oldMessage : .newMessage
    }
    var showing = Showing(shows())
    for (index, step) in steps.enumerated() {
      guard let (place, bytes) = step.written else { continue }
      if step.purpose == .systemCode { isNDEF = true }
      if place.feliCaBlock == AttributeBlock.number { (head, isFound) = (bytes, false) }
      showing.change(to: shows(), after: index)
    }
    return showing
  }

  /// What of the dump is not put back.
  var leftAlone: [TagDescription.Finding] {
    var sentences: [String] = []
    let missing = FeliCaState.userBlocks.filter { job.image.feliCaBlock($0) == nil }
    if !missing.isEmpty {
      sentences.append("\(FeliCaWords.list(missing)) not in the dump, and not changed.")
    }
    if let bytes = job.image.feliCaBlock(MemoryConfiguration.block),
      let dumped = state.configuration(bytes),
      let found = state.configuration,
      dumped != found, dumped != found.declaringNDEF
    {
      sentences.append(
        "The memory configuration (88h) is not changed: rights that it removes cannot be restored."
      )
    }
    let names = [0x0E, 0x82, 0x86].filter { (block: UInt16) in
      job.image.feliCaBlock(block).map { $0 != state[block] } ?? false
    }
    if !names.isEmpty {
      sentences.append(
        "Not restored: \(names.compactMap(LiteMemory.name).joined(separator: ", ")); counters, ID and keys stay the tag's own."
      )
    }
    return sentences.map { .notRestored($0) }
  }

  /// A tag whose dump answers to NDEF does so, too.
  private func declareNDEF(_ configuration: MemoryConfiguration, _ program: inout TagProgram)
    throws(JobFailure)
  {
    guard let bytes = job.image.feliCaBlock(MemoryConfiguration.block),
      state.configuration(bytes)?.declaresNDEF == true,
      !configuration.declaresNDEF
    else { return }
    guard let wanted = configuration.declaringNDEF?.serialize() else {
      throw JobFailure(.feliCa(.closedWithoutNDEF), remedy: .useAnotherTag)
    }
    let place = Place.feliCaBlock(MemoryConfiguration.block)
    program.steps += [
      TagProgram.Step(.write(wanted, .systemCode), at: place),
      TagProgram.Step(.check(wanted.map { $0 }), at: place),
    ]
  }

  /// The message that is there is switched off first, and block 0 of the dump comes last.
  private func add(
    _ blocks: [(block: UInt16, bytes: [UInt8])], _ configuration: MemoryConfiguration,
    _ program: inout TagProgram
  ) throws(JobFailure) {
    let head = AttributeBlock.number
    let content = blocks.filter { $0.block != head }
    let found = state[head].flatMap { try? AttributeBlock(parsing: $0) }
    let last = job.image.feliCaBlock(head) ?? state[head] ?? FeliCaState.blank
    if !content.isEmpty, let found, !found.isBeingWritten {
      guard configuration.isFree(head) else {
        throw JobFailure(.feliCa(.closed([head])), remedy: .useAnotherTag)
      }
      program.steps.append(
        TagProgram.Step(.write(found.beingWritten.serialize(), .switchOff), at: .feliCaBlock(head)))
    }
    for (block, bytes) in content {
      program.steps.append(TagProgram.Step(.write(bytes, .restored), at: .feliCaBlock(block)))
    }
    let isChanged = !program.steps.isEmpty && found != nil && !content.isEmpty
    if isChanged || state[head] != last {
      program.steps.append(TagProgram.Step(.write(last, .restored), at: .feliCaBlock(head)))
    }
  }
}
