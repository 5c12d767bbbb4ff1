import LibNFCReaders

/// A reader that was found, and what opening it showed.
package struct ReaderState {
  package let reader: ReaderDescription
  /// Nil when it was not opened.
  package let checkup: Checkup?
  /// Why it cannot be used; nil when nothing is known against it.
  package var obstacle: Obstacle? { checkup?.obstacle ?? reader.obstacle }

  /// With `check`, opens the reader, unless it is a port or a bus that may lead anywhere.
  package init(_ reader: ReaderDescription, check: Bool) {
    self.reader = reader
    checkup = check && reader.isLikely ? Checkup(reader, memory: .standard) : nil
  }
}
