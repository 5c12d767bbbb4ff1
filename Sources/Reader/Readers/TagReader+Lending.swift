/// A reader that is held open, used by programs one after another.
extension TagReader {
  /// Has `body` use the chip, which it finds as a reader that was just opened and set up: the field
  /// was off, and nothing was said to a tag. What it leaves behind is forgotten in the same way.
  ///
  /// `body` returns whether its last command to a tag was left without an acknowledge.
  package func lend(_ body: (any ChipLink) -> Bool) throws(ReaderError) {
    if !isFresh { try begin() }
    isFresh = false
    if body(link) { openWrite = clock.now() }
    try begin()
  }

  /// Goes on where another program's `lend` has begun: the chip is set up.
  package func takeOver() {
    (isPrepared, lastReset) = (true, clock.now())
  }

  /// Sets the chip up as it is right after opening, whatever it was told since.
  private func begin() throws(ReaderError) {
    care = usualCare
    (wantedTries, turn) = (Self.usualTries, 0)
    (findsHalted, unknownPolls, doubtfulPolls) = (nil, [], [])
    isPrepared = false
    try setAutomaticRATS(true)
    try setUp(resettingField: true)
  }
}
