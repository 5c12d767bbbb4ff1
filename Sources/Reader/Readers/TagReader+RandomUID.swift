import TagMemory

/// UIDs that look made up (ISO/IEC 14443-3, 6.5.4: four bytes from 08h on). Some copies bear such a
/// UID for good.
extension TagReader {
  /// Returns whether the tag makes its UID up with each power, as far as it is known: one that was
  /// seen before and after the field was off does not.
  package func hasRandomUID(_ tag: Target) -> Bool {
    tag.hasRandomUID && !lastingUIDs.contains(tag.uid)
  }

  /// Finds out whether a UID that looks made up lasts: the field is switched off, and the tag
  /// looked for. Returns what lies there then, selected: the tag, or the same tag by its new UID.
  /// Any other tag costs nothing and is returned as it is.
  package func provingUID(of tag: Target) throws(ReaderError) -> Target {
    guard hasRandomUID(tag) else { return tag }
    try resetField()
    let found = try look(like: tag)
    guard let first = found.first else { throw .tagLost(expected: tag.uid, found: nil) }
    guard found.count == 1 else { throw .severalTags(found.map(\.uid)) }
    return first
  }

  /// Takes note of tags of type A that were found: a UID that comes back after the field was off is
  /// one that lasts.
  func noteRandom(_ found: [Target]) {
    for tag in found where tag.hasRandomUID {
      if let lastRandom, lastRandom.uid == tag.uid, lastRandom.resetCount != resetCount {
        lastingUIDs.insert(tag.uid)
      }
      lastRandom = (tag.uid, resetCount)
    }
  }
}
