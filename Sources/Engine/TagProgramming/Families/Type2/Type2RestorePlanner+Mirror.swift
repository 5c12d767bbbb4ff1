import TagMemory

/// A mirror over the memory that a dump is restored to (NTAG213/215/216, 8.7).
extension Type2RestorePlanner {
  /// Refuses a dump whose message a mirror fills in, unless the tag has that mirror or gets it, and
  /// one over whose message the tag would lay a mirror of its own.
  func requireMirror() throws(JobFailure) {
    try requireNoFixedMirror()
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

  /// Refuses a dump whose message would show as something else on a tag whose mirror stays on, or
  /// may.
  private func requireNoFixedMirror() throws(JobFailure) {
    let bytes = userPages.flatMap {
      job.image.row(Int($0.number)) ?? state.memory[$0] ?? [0, 0, 0, 0]
    }
    guard let message = TLVScan(bytes, of: .type2(byteCount: bytes.count)).message,
      let end = message.endOffset, message.length > 0
    else { return }
    let shown = MirrorOverlay(of: state, uid: uid).shown(bytes, from: .firstOfArea)
    let hidden = (0..<end).filter { shown[$0] != bytes[$0] }
    if state.fixedMirror != nil, !hidden.isEmpty {
      let value = message.valueRuns?.joined().enumerated().filter { hidden.contains($0.element) }
      throw JobFailure(
        .type2(
          .mirrored(
            bytes: value?.first.flatMap { first in value?.last.map { first.offset..<$0.offset + 1 }
            },
            isFrozen: false)), remedy: .useAnotherTag)
    }
    if !job.force, let page = state.firstOwnText(under: Array(bytes.prefix(end))) {
      throw JobFailure(.type2(.mayBeMirrored(page)), remedy: .permitForce)
    }
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
