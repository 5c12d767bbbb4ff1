import TagMemory

/// The capability container of a tag that gets the memory of another one.
extension Type2RestorePlanner {
  /// The chip's own, as a message written to the tag brings it, where the dump's tag has it and
  /// shows a message by it. Nil where it stands there, where the tag cannot get it, and where the
  /// operator's leave brings what the dump has.
  var container: CapabilityContainer? {
    let own = state.map.capabilityContainer
    guard !job.force || job.image.layout.rowCount != state.map.pageCount,
      let dumped = job.image.row(Int(Page.capabilityContainer.number))
        .flatMap({ try? CapabilityContainer(parsing: $0) }),
      dumped.readOnly == own.readOnly, let last = job.image.messageRows.last,
      let found = meaning.memory.capabilityContainer
    else { return nil }
    let end = (last + 1) * Page.byteCount - Page.firstOfArea.byteOffset
    if found.isNDEF, found.areaByteCount >= end {
      return state.memory.capabilityContainer == found ? nil : found
    }
    // One that bounds a smaller area stays, but where this very job was cut short in its last
    // write.
    let rows = Set(job.image.messageRows)
    let isOurs = userPages.filter { rows.contains(Int($0.number)) }.allSatisfy {
      state.memory[$0] == job.image.row(Int($0.number))
    }
    guard found.canBecome(own), !found.isNDEF || isOurs, !state.product.sizeIsGuess || job.force,
      state.isLocked(.capabilityContainer) != true
    else { return nil }
    return own
  }
}
