import TagMemory

/// Sets how many wrong passwords in a row close a tag, and whether it counts its readings. It
/// follows the password, once the tag has taken that and refused a write without it: a tag that
/// counts gets no password that is not proven.
struct ConfigurationSettings {
  /// The tag as the parts before leave it.
  let state: Type2State
  /// This is the tag as this run means it to be then.
  let meaning: Type2State
  let settings: ChipSettings

  func plan() throws(JobFailure) -> TagProgram {
    guard let place = state.map.configuration, let current = state.memory.configuration,
      var wanted = meaning.memory.configuration?.frozen(as: current)
    else { throw JobFailure(.type2(.notRead(.configuration))) }
    if let limit = settings.attemptLimit { wanted.attemptLimit = limit }
    if let counts = settings.countsReads { wanted.countsReads = counts }
    var program = TagProgram(.protection)
    guard current.cfg1 != wanted.cfg1 else {
      program.unchanged = 1
      return program
    }
    guard !current.isLocked else {
      throw JobFailure(.type2(.configurationFrozen(isOfDump: false)), remedy: .useAnotherTag)
    }
    program.steps = [
      .writePage(place.cfg1, wanted.cfg1, .configuration),
      .checkPages(first: place.cfg1, wanted.cfg1),
    ]
    return program
  }
}

extension TagDescription {
  /// Says of a tag that readers without the password find no message, where that follows from the
  /// page that was asked for.
  mutating func noteClosed(from first: Page) {
    findings.append(
      Finding(
        "read-closed",
        "Reading needs the password from \(first) on: telephones find no message on the tag."))
  }
}
