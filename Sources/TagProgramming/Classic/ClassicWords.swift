import TagMemory

/// What is said of a MIFARE Classic that cannot be changed.
enum ClassicWords {
  /// `Sector 3`, `Sectors 1, 2 and 5`, `Sectors 1 to 15 and 17 to 39`.
  static func list(_ sectors: [Sector]) -> String {
    var runs: [ClosedRange<Int>] = []
    for index in Set(sectors.map(\.index)).sorted() {
      if let last = runs.last, last.upperBound == index - 1 {
        runs[runs.count - 1] = last.lowerBound...index
      } else {
        runs.append(index...index)
      }
    }
    let parts = runs.flatMap { run in
      run.count > 2 ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map(String.init)
    }
    guard sectors.count > 1, let last = parts.last else { return "Sector \(parts.first ?? "?")" }
    guard parts.count > 1 else { return "Sectors \(last)" }
    return "Sectors \(parts.dropLast().joined(separator: ", ")) and \(last)"
  }

  static func unopened(_ sectors: [Sector]) -> ProgramFailure {
    ProgramFailure(
      .refused,
      "\(list(sectors)) opened with none of the keys tried: the factory, NFC and MAD keys, other well-known "
        + "keys, and those given with --key.",
      tagHolds: "unchanged.",
      next: "pass the right key with --key or --key-file, or use another tag.")
  }

  static func notChangeable(_ sectors: [Sector], state: ClassicState) -> ProgramFailure {
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
