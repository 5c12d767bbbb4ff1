import TagMemory

/// What is said of a MIFARE Classic that cannot be changed.
enum ClassicWords {
  /// `Sector 3`, `Sectors 1, 2 and 5`, `Sectors 1 to 15 and 17 to 39`.
  static func list(_ sectors: [Sector]) -> String {
    let numbers = NumberRuns.list(sectors.map(\.index))
    return sectors.count > 1 ? "Sectors \(numbers)" : "Sector \(numbers)"
  }

  static func unopened(_ sectors: [Sector], state: ClassicState) -> ProgramFailure {
    if let failure = notTaken(sectors, state: state) { return failure }
    return ProgramFailure(
      .refused,
      "\(list(sectors)) opened with none of the keys tried: the factory, NFC and MAD keys, other well-known "
        + "keys, and those given with --key.",
      tagHolds: "unchanged.",
      next: "pass the right key with --key or --key-file, or use another tag.")
  }

  static func notChangeable(_ sectors: [Sector], state: ClassicState) -> ProgramFailure {
    if let failure = notTaken(sectors, state: state) { return failure }
    let conditions = sectors.first.flatMap { state.sectors[$0]?.trailer?.conditions }
    if let conditions, conditions.isFrozen {
      return ProgramFailure(
        .refused,
        "\(list(sectors)) can never be changed: the access bits are frozen (\(conditions)).",
        tagHolds: "unchanged.", next: "use another tag.")
    }
    return ProgramFailure(
      .refused,
      "\(list(sectors)) can be read, but no key tried may change what has to be changed there.",
      tagHolds: "unchanged.",
      next: "pass the key that may (usually key B) with --key or --key-file.")
  }

  /// Where this run has written trailers of `sectors`, which keep anything from being done there now: they did not take what was
  /// sent. Nil where it has not.
  static func notTaken(_ sectors: [Sector], state: ClassicState) -> ProgramFailure? {
    // Frozen access bits that were there before took nothing, and will not.
    let own = sectors.filter { state.hasWrongTrailer($0) && !state.wasFrozen($0) }
    guard !own.isEmpty else { return nil }
    let verb = own.allSatisfy { state.sectors[$0]?.opener == nil } ? "opens" : "may change"
    return ProgramFailure(
      .mismatch,
      "\(own.count > 1 ? "Blocks" : "Block") \(NumberRuns.list(own.map { Int($0.trailer.index) })) did not take the keys and "
        + "access bits that were written: no key tried \(verb) \(list(own).lowercased()).",
      tagHolds: "unchanged.",
      next: "run the same command again; if it fails again, use another tag.")
  }

  /// Locked sectors of the message area that readers do not open.
  static func notPublic(_ sectors: [Sector]) -> ProgramFailure {
    ProgramFailure(
      .refused,
      "\(list(sectors)) locked for good with another key A than the public NFC key, so readers cannot read \(sectors.count == 1 ? "it" : "them").",
      tagHolds: "unchanged.", next: "use another tag.")
  }

  static func notBlank(_ blocks: [Block], state: ClassicState) -> ProgramFailure {
    let unread = blocks.filter { state.blocks[$0] == nil }
    let what = unread.count == blocks.count ? "cannot be read" : "hold data"
    let names = blocks.prefix(8).map { String($0.index) }.joined(separator: ", ")
    return ProgramFailure(
      .refused,
      "The tag is neither blank nor NDEF: \(blocks.count == 1 ? "block" : "blocks") \(names)"
        + "\(blocks.count > 8 ? " and \(blocks.count - 8) more" : "") \(what).",
      tagHolds: "unchanged.", next: "pass --overwrite if what is on it may be lost.")
  }
}
