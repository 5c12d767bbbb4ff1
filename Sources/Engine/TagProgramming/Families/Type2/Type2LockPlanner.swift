import TagMemory

/// Plans a Type 2 tag read-only for good: the capability container first, then the dynamic and last
/// the static lock bytes, each with its block-locking bits and each read back (NTAG213/215/216,
/// 8.5; MF0ICU2, 7.5).
///
/// Only lock bits that the chip has are set, and of those the ones of user memory and capability
/// container.
struct Type2LockPlanner {
  let state: Type2State
  /// The tag as this run means it: lock bits that were sent and are not there count as set, others
  /// as not.
  let meaning: Type2State

  func plan() throws(JobFailure) -> TagProgram {
    if case .messagesOnly = state.product.support {
      throw JobFailure(.type2(.locksUnknown(state.product)), remedy: .useTagWithKnownLocks)
    }
    guard let container = state.memory.capabilityContainer, let fixed = meaning.memory.staticLocks
    else { throw JobFailure(.type2(.notRead(.lockBytes))) }
    var program = TagProgram(.locks)
    addContainer(container, isLocked: fixed.isLocked(.capabilityContainer), to: &program)
    if let map = state.map.dynamicLocks {
      guard let dynamic = meaning.memory.dynamicLocks else {
        throw JobFailure(.type2(.notRead(.dynamicLockBytes)))
      }
      try add(dynamic, map.coveredPages.first.map { $0...state.map.user.upperBound }, to: &program)
    }
    // Page 3 may have been left open for good by whoever set its block-locking bit; the data pages
    // may not.
    let isContainerLockable = fixed.canLock(.capabilityContainer)
    try add(
      fixed, (isContainerLockable ? .capabilityContainer : .firstOfArea)...15, to: &program)
    return program
  }

  private func addContainer(
    _ container: CapabilityContainer, isLocked: Bool, to program: inout TagProgram
  ) {
    let wanted = (meaning.memory.capabilityContainer ?? container).readOnly
    guard wanted != container, !isLocked else {
      program.unchanged += 1
      return
    }
    let bytes = wanted.serialize()
    program.steps += [
      .writePage(.capabilityContainer, bytes, .lock),
      .checkPages(first: .capabilityContainer, bytes),
    ]
  }

  private func add(_ locks: LockBytes, _ pages: ClosedRange<Page>?, to program: inout TagProgram)
    throws(JobFailure)
  {
    guard let pages else { return }
    let open = locks.frozenOpenPages.filter(pages.contains)
    guard open.isEmpty else {
      throw JobFailure(.type2(.openForGood(open)), remedy: .useTagThatLocks)
    }
    let wanted = locks.locking(pages, freezing: true)
    let found = locks.map == .static ? state.memory.staticLocks : state.memory.dynamicLocks
    guard wanted != found else {
      program.unchanged += 1
      return
    }
    // A write that is torn must not freeze what it has not locked: older chips promise no whole
    // write.
    let isWhole = state.product.features.contains(.version)
    let stages = (isWhole ? [] : [locks.locking(pages, freezing: false)]) + [wanted]
    for stage in stages where stage != found {
      program.steps.append(.writePage(locks.map.page, stage.serialize(), .lock))
      var shown = bytesBeside(locks.map)
      shown.replaceSubrange(
        locks.map.offset..<locks.map.offset + locks.map.byteCount, with: stage.bytes.map { $0 })
      program.steps.append(.checkPages(first: locks.map.page, shown))
    }
  }

  /// What reading the page of lock bytes must show beside them: what stood there before. One byte
  /// behind three dynamic lock bytes reads as it pleases (NTAG213/215/216, 8.5.3).
  private func bytesBeside(_ map: LockMap) -> [UInt8?] {
    guard map.byteCount == 2, let page = meaning.memory[map.page] else {
      return [UInt8?](repeating: nil, count: Page.byteCount)
    }
    return page
  }
}
