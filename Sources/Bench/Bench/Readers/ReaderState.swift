import LibNFCReaders

/// A reader that was found, and what opening it showed.
package struct ReaderState {
  package let reader: ReaderDescription
  /// Nil when it was not opened.
  package let checkup: Checkup?
  /// Why it cannot be used; nil when nothing is known against it. A check that has left it out
  /// knows nothing for it, either.
  package let obstacle: Obstacle?

  /// With `check`, opens the reader, unless it is a port or a bus that may lead anywhere.
  package init(_ reader: ReaderDescription, check: Bool) {
    self.reader = reader
    checkup = check && reader.isLikely ? Checkup(reader, memory: .standard) : nil
    let leftOut = check && checkup == nil
    obstacle =
      checkup?.obstacle ?? reader.obstacle
      ?? (leftOut ? .unchecked(connection: reader.connection) : nil)
  }
}
