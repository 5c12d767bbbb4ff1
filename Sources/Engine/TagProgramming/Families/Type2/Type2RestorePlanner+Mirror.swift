import TagMemory

/// A mirror over the memory that a dump is restored to (NTAG213/215/216, 8.7).
extension Type2RestorePlanner {
  /// Refuses a dump whose message a mirror fills in, unless the tag has that mirror or gets it, and
  /// one over whose message the tag would lay a mirror of its own.
  func requireMirror() throws(JobFailure) {
    if let shown = state.shownMirror, shown != wanted?.mirror, !job.force,
      job.image.hasMessage(below: shown, on: state.map)
    {
      throw JobFailure(.type2(.mirrorsOverDump(shown.content)), remedy: .permitForce)
    }
    guard let mirror = job.image.mirrorOverMessage(on: state.map),
      mirror != state.memory.configuration?.mirror, !job.force || hidesPassword
    else { return }
    throw JobFailure(
      .type2(.dumpMirrored(mirror.content)), remedy: hidesPassword ? .useTagOfDump : .permitForce)
  }

  /// The tag's configuration without its mirror, where that lies over the user memory and the dump
  /// has another one or none; nil where nothing of it changes before the memory is written.
  var unmirrored: Configuration? {
    guard job.force, !hidesPassword, let wanted, let mirror = state.memory.configuration?.mirror,
      mirror != wanted.mirror, var open = meaning.memory.configuration
    else { return nil }
    let overlay = MirrorOverlay(mirror, uid: uid)
    guard userPages.contains(where: overlay.covers) else { return nil }
    open.mirror = nil
    return open
  }

  /// The steps that take the mirror off; nil where it stays.
  var mirrorChange: MirrorChange? {
    guard let place = state.map.configuration, let current = state.memory.configuration,
      let unmirrored
    else { return nil }
    return MirrorChange(at: place, from: current, to: unmirrored)
  }
}
