import TagMemory

extension ProgramFailure {
  /// What keeps a job from being done on a tag that speaks ISO-DEP; nothing was written.
  static func type4(_ cause: Type4Cause, _ remedy: Type4Remedy?) -> ProgramFailure {
    ProgramFailure(cause.kind, cause.sentence, tagHolds: "unchanged.", next: remedy?.sentence)
  }

  static func tooLong(_ byteCount: Int, capacity: Int, on product: Product) -> ProgramFailure {
    ProgramFailure(
      .badInput,
      "The message has \(byteCount) bytes; this \(product.displayName) takes \(capacity).",
      tagHolds: "unchanged.", next: Type4Remedy.shortenMessage.sentence)
  }

  /// What formatting a DESFire is refused with on a tag of another kind.
  static func notDESFire(_ name: String) -> ProgramFailure {
    ProgramFailure(
      .badInput, "The tag is a \(name), not a DESFire EV1, EV2 or EV3.", tagHolds: "unchanged.",
      next: "use write-url or write: they format blank tags of other types.")
  }

  /// The job is for another kind of tag.
  static func wrongKind(_ wanted: Type4Demand, _ product: Product) -> ProgramFailure {
    switch wanted {
    case .feliCa:
      ProgramFailure(
        .badInput, "The tag is a \(product.displayName), no FeliCa Lite.", tagHolds: "unchanged.",
        next: "use write-url or write.")
    case .classic:
      ProgramFailure(
        .badInput, "The tag is a \(product.displayName), not a MIFARE Classic.",
        tagHolds: "unchanged.", next: "use write-url or write.")
    case .pages:
      ProgramFailure(
        .badInput, "The tag is a \(product.displayName), which has files and no pages.",
        tagHolds: "unchanged.", next: "use write-url or write.")
    case .password:
      ProgramFailure(
        .badInput, "A \(product.displayName) has no password that can be set here.",
        tagHolds: "unchanged.", next: "lock makes it read-only where the chip can.")
    }
  }
}

/// What a job needs that no Type 4 tag has.
enum Type4Demand {
  case classic, feliCa, pages, password
}

/// What a person can do about it.
enum Type4Remedy {
  case useAnotherTag, giveKey, shortenMessage, formatCard, useSupportedTag, useTagOfDump

  var sentence: String {
    switch self {
    case .useAnotherTag: "use another tag."
    case .giveKey: "pass the right key with --key or --key-file."
    case .shortenMessage: "shorten the message or use a larger tag."
    case .formatCard: "format it first; format-type4 --url URL does both at once."
    case .useSupportedTag: "use a tag with an NDEF application, or a DESFire EV1, EV2 or EV3."
    case .useTagOfDump: "use a tag like the one that the dump is of."
    }
  }
}
