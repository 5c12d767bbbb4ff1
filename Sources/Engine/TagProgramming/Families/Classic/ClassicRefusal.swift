import TagMemory

/// Why a MIFARE Classic cannot be changed, by what was learnt of it.
enum ClassicRefusal {
  static func unopened(_ sectors: [Sector], state: ClassicState) -> JobFailure {
    notTaken(sectors, state: state)
      ?? JobFailure(.classic(.unopened(sectors)), remedy: .giveKey)
  }

  static func notChangeable(_ sectors: [Sector], state: ClassicState) -> JobFailure {
    if let failure = notTaken(sectors, state: state) { return failure }
    let closed = sectors.filter { state.sectors[$0].map { $0.opener == nil } ?? false }
    guard closed.isEmpty else { return unopened(closed, state: state) }
    let conditions = sectors.first.flatMap { state.sectors[$0]?.trailer?.conditions }
    if let conditions, conditions.isFrozen {
      return JobFailure(.classic(.frozen(sectors, conditions)), remedy: .useAnotherTag)
    }
    return JobFailure(.classic(.notChangeable(sectors)), remedy: .giveWritingKey)
  }

  /// No key that was found writes `block`, which holds data.
  static func notWritable(_ block: Block, state: ClassicState) -> JobFailure {
    let failure = notChangeable([block.sector], state: state)
    guard case .classic(.notChangeable(let sectors)) = failure.cause,
      let known = state.sectors[block.sector], let conditions = known.trailer?.conditions,
      let group = block.group,
      !KeyType.allCases.contains(where: { conditions.allows(.write, group, with: $0) })
    else { return failure }
    // A key that was found may give the block other access bits, or no key may.
    return JobFailure(
      .classic(.notChangeable(sectors)),
      remedy: known.trailerWriter == nil ? .useAnotherTag : .formatAgain)
  }

  /// Where this run has written trailers of `sectors`, which keep anything from being done there
  /// now: they did not take what was sent. Nil where it has not.
  static func notTaken(_ sectors: [Sector], state: ClassicState) -> JobFailure? {
    // Access bits that were there before took nothing, and will not.
    let own = sectors.filter { state.hasWrongTrailer($0) && !state.refusedTrailer($0) }
    guard !own.isEmpty else { return nil }
    let isClosed = own.allSatisfy { state.sectors[$0]?.opener == nil }
    return JobFailure(
      .classic(.trailersNotTaken(own, opens: !isClosed)), remedy: .runAgainOnce)
  }

  /// Locked sectors of the message area that readers do not open.
  static func notPublic(_ sectors: [Sector]) -> JobFailure {
    JobFailure(.classic(.notPublic(sectors)), remedy: .useAnotherTag)
  }

  /// Data in sectors that no NDEF directory names.
  static func foreignData(_ blocks: [Block], state: ClassicState) -> JobFailure {
    let isUnread = blocks.allSatisfy { state.blocks[$0] == nil }
    return JobFailure(
      .classic(.foreignData(blocks, isUnread: isUnread)), remedy: .permitOverwrite)
  }

  static func notBlank(_ blocks: [Block], state: ClassicState) -> JobFailure {
    let isUnread = blocks.allSatisfy { state.blocks[$0] == nil }
    return JobFailure(.classic(.notBlank(blocks, isUnread: isUnread)), remedy: .permitOverwrite)
  }
}
