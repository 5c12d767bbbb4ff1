import PN532

/// The state in which chip and tag are left between one thing and the next.
extension TagReader {
  /// Sets the chip up for tags, four commands, unless it is: part of opening a reader, so that it
  /// need not be done when a tag comes. Whoever leaves it out has it done by the first look.
  package func prepare() throws(ReaderError) {
    guard !isPrepared else {
      if patience != care.patience { try setPatience() }
      if repeatedTries != wantedTries { try setTries() }
      return
    }
    // A program that died has left the field on, and a tag in it that may answer no look until it
    // loses power.
    try setUp(resettingField: !link.hasResetField)
  }

  /// Sets the chip up, whatever it was told before.
  func setUp(resettingField: Bool) throws(ReaderError) {
    let start = clock.now()
    if resettingField { try fieldOff() }
    try setTries()
    try setPatience()
    if resettingField { clock.sleep(max(.zero, Self.resetPause - (clock.now() - start))) }
    // Tags need 5 ms of it before they hear anything (ISO/IEC 14443-3, 5): not when the first one
    // comes.
    _ = try perform(.rfField(on: true))
    lastReset = clock.now()
    (isPrepared, isFresh) = (true, true)
  }

  private func setPatience() throws(ReaderError) {
    _ = try perform(.rfTimeouts(communication: care.patience))
    patience = care.patience
  }

  /// An absent tag is looked for twice, not without a limit (UM0701-02, 7.3.1, item 5).
  static let usualTries: UInt8 = 1

  private func setTries() throws(ReaderError) {
    _ = try perform(.activationRetries(passive: wantedTries))
    repeatedTries = wantedTries
  }

  /// Leaves a tag that has not acknowledged a write the time to finish it: without power it would
  /// hold half of it.
  func finishWrite() {
    guard let openWrite else { return }
    clock.sleep(max(.zero, Self.slowestWrite - (clock.now() - openWrite)))
    self.openWrite = nil
  }

  /// Longer than any tag programs a page or a block; NXP's take 4.1 ms, slow copies some tens.
  static let slowestWrite = Duration.milliseconds(100)
}
