import TagMemory

/// What is odd about a tag, as a report says it.
extension Type2State {
  /// What no chip is delivered with, beside the data area.
  var findingsBeside: [TagDescription.Finding] {
    oddities.map { TagDescription.Finding($0.code, "\($0)") }
  }

  /// What a dry run does not know.
  var unknowns: [TagDescription.Finding] {
    guard isPasswordAssumed else { return [] }
    return [
      TagDescription.Finding(
        "password-not-tried",
        "The tag counts wrong passwords, so this dry run did not send one: whether the password is right is not known."
      )
    ]
  }

  /// What stays odd whatever is written to the data area: that, and a capability container that
  /// claims too much, or leaves it open who may write, and locked pages.
  var standingFindings: [TagDescription.Finding] {
    let faults = (ndef?.faults ?? []).filter { fault in
      switch fault {
      case .areaBeyondMemory, .writeAccess, .lockedPages: true
      default: false
      }
    }
    return faults.map { TagDescription.Finding($0.code, "\($0)") } + findingsBeside + unknowns
  }
}
