import TagMemory

/// Freezes the configuration of a tag that shows its UID or its counter in its message, for good
/// (CFGLCK; NTAG213/215/216 and NTAG210/212, 8.5.7): nobody switches the mirror off then, or moves
/// it. The password can still be changed where it protects something.
struct ConfigurationFreeze {
  /// The tag as the parts before leave it.
  let state: Type2State
  /// This is the tag as this run means it to be then.
  let meaning: Type2State

  func plan() throws(JobFailure) -> TagProgram {
    guard let place = state.map.configuration, let current = state.memory.configuration,
      var wanted = meaning.memory.configuration
    else { throw JobFailure(.type2(.notRead(.configuration))) }
    var program = TagProgram(.locks)
    wanted.isLocked = true
    guard current != wanted else {
      program.unchanged = 1
      return program
    }
    program.steps = [
      .writePage(place.cfg1, wanted.cfg1, .lock), .checkPages(first: place.cfg1, wanted.cfg1),
    ]
    return program
  }
}

extension Configuration {
  /// Returns this configuration, frozen only where the tag shows that: what a run has sent to
  /// freeze it may have been lost on the way.
  func frozen(as shown: Configuration) -> Configuration {
    var result = self
    result.isLocked = isLocked && shown.isLocked
    return result
  }
}

extension TagDescription {
  /// Says of a locked tag that others can still change what readers find, where `state`, the tag as
  /// it will be, lets them.
  mutating func noteOpenMirror(of state: Type2State) {
    guard let place = state.map.configuration, let configuration = state.memory.configuration,
      let mirror = configuration.mirror, mirror.fits(state.map.user), !configuration.isLocked,
      configuration.protection(pageCount: state.map.pageCount)?.isWriteProtected(place.cfg0)
        != true
    else { return }
    findings.append(
      Finding(
        "mirror-open",
        "The message is locked and its mirror is not: anybody can still switch the mirror off or move it. The tag's configuration is neither frozen nor under a password."
      ))
  }
}
