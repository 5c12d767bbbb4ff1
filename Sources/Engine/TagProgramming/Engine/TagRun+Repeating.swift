import Readers

/// One pass after another, until one succeeds, none helps, or the bounds are reached.
extension TagRun {
  func repeating<Value>(_ body: (PassContext) throws(Setback) -> Value)
    throws(JobFailure) -> Value
  {
    let start = programmer.reader.clock.now()
    while true {
      let pass = passContext(number: retries.count)
      do throws(Setback) {
        return try body(pass)
      } catch {
        guard
          error.isWorthAnotherPass || isDoubtful(error),
          retries.allowsAnother(
            after: error, program: course.program,
            elapsed: programmer.reader.clock.now() - start)
        else { throw failure(after: error) }
        if case .reader(let lost) = error { note(lost) }
        programmer.progress(.retrying(after: failure(after: error), attempt: retries.count))
        try recover(from: error)
      }
    }
  }

  func passContext(number: Int) -> PassContext {
    var options = programmer.options
    options.credentials = options.credentials.resolved(for: session.tag.uid)
    if let secret = options.listedSecret?(session.tag.uid) {
      (options.credentials.password, options.credentials.isListed) = (secret, true)
    }
    return PassContext(options: options, number: number)
  }

  /// Takes note of a tag that did not answer, or was not found.
  private func note(_ error: ReaderError) {
    switch error {
    case .exchangeFailed(.timeout), .tagLost, .noTag:
      course.mayBeAnother = course.mayBeAnother || course.mustStay
    default: break
    }
  }

  private func failure(after setback: Setback) -> JobFailure {
    setback.failure(in: course.program, holding: course.holds)
  }

  /// Returns whether a refusal may be a lost answer: the first one, and each on a tag that this run
  /// has changed, until what it changed is put back.
  private func isDoubtful(_ setback: Setback) -> Bool {
    guard case .failure(let failure) = setback, failure.kind == .refused, Family.doubtsRefusals
    else { return false }
    return !retries.isRetrying || course.hasWritten && failure.holds?.isPutBack != true
  }

  /// Waits until the same tag answers again.
  private func recover(from setback: Setback) throws(JobFailure) {
    let clock = programmer.reader.clock
    let deadline = clock.now() + programmer.options.patience
    programmer.reader.takeMoreCare(after: setback.readerError)
    session.takeNothingForGranted()
    while true {
      do throws(ReaderError) {
        return try session.selectAgain()
      } catch {
        let isAway: Bool
        switch error {
        case .tagLost(_, nil), .exchangeFailed, .noTag: isAway = true
        default: isAway = false
        }
        note(error)
        guard isAway, clock.now() < deadline, !programmer.shouldStop() else {
          throw failure(after: .reader(error))
        }
      }
    }
  }
}
