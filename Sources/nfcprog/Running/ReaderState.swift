import LibNFCReaders

/// A reader that was found, and what opening it showed.
struct ReaderState {
  let reader: ReaderDescription
  /// Nil when it was not opened.
  let checkup: Checkup?
  /// Why it cannot be used; nil when nothing is known against it.
  var obstacle: Obstacle? { checkup?.obstacle ?? reader.obstacle }

  /// With `check`, opens the reader, unless it is a port or a bus that may lead anywhere.
  init(_ reader: ReaderDescription, check: Bool) {
    self.reader = reader
    checkup = check && reader.isLikely ? Checkup(reader, memory: .standard) : nil
  }
}
