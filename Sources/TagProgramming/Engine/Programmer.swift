import NDEF
import Readers
import TagMemory

/// Runs jobs on the tags of one reader: survey, plan, execute, verify, report.
///
/// Synchronous: one thread owns a programmer and its reader. A pass that fails in a way another pass may mend
/// is followed by one that surveys anew: what the tag holds decides, never what was sent.
public final class Programmer {
  private let reader: TagReader
  private let options: RunOptions
  private let progress: (Progress) -> Void
  private let shouldStop: () -> Bool
  private let clock = ContinuousClock()

  /// `shouldStop` is asked between steps: true ends the run at a point from which the same job goes on.
  public init(
    reader: TagReader, options: RunOptions, progress: @escaping (Progress) -> Void = { _ in },
    shouldStop: @escaping () -> Bool = { false }
  ) {
    self.reader = reader
    self.options = options
    self.progress = progress
    self.shouldStop = shouldStop
  }

  /// Waits for a tag and runs `job` on it. Never throws: a failure is in the report.
  public func run(_ job: Job) -> TagReport { run { _ in job } }

  /// Waits for a tag and runs on it the job that `job` chooses for it.
  public func run(choosing job: (Target) -> Job) -> TagReport {
    progress(.waiting)
    let before = reader.counts
    do throws(ProgramFailure) {
      let tag = try waitForTag()
      return run(JobChoice(job(tag)), on: tag)
    } catch {
      return .failed(error, counts: reader.counts - before)
    }
  }

  /// Runs `job` on `tag`, which the reader has just selected: its last look was the first thing done for this tag.
  public func run(_ job: Job, on tag: Target) -> TagReport {
    run(JobChoice(job), on: tag)
  }

  /// Runs on `tag`, which the reader has just selected, the job that `decide` gives for what was found on it. It is
  /// asked once, after the whole message was read and before anything is planned; what it throws leaves the tag alone.
  public func run(
    on tag: Target, deciding decide: @escaping (TagFound) throws(ProgramFailure) -> Job
  ) -> TagReport {
    run(JobChoice(deciding: decide), on: tag)
  }

  private func run(_ choice: JobChoice, on tag: Target) -> TagReport {
    var report = TagReport()
    report.target = tag
    let (start, before) = reader.lastLook
    progress(.found(tag))
    do throws(ProgramFailure) {
      try work(on: tag, choice, &report)
    } catch {
      report.result = .failed
      report.verified = false
      report.failure = error
    }
    reader.forgetCare()
    report.duration = reader.clock.now() - start
    report.counts = reader.counts - before
    report.exchangeTime = reader.exchangeTime
    return report
  }

  private func waitForTag() throws(ProgramFailure) -> Target {
    do {
      return try reader.waitForTag(timeout: options.timeout, shouldStop: shouldStop)
    } catch {
      throw FailureText.whileWaiting(error)
    }
  }

  /// Passes over the tag until one succeeds, none helps, or the bounds are reached.
  private func work(on tag: Target, _ choice: JobChoice, _ report: inout TagReport)
    throws(ProgramFailure)
  {
    let session = TagSession(reader: reader, tag: tag)
    var retries = RetryBudget()
    var hasWritten = false
    let start = reader.clock.now()
    while true {
      let pass = Pass(
        session: session, choice: choice, options: options, isThorough: retries.isRetrying,
        progress: progress, shouldStop: shouldStop)
      do throws(Setback) {
        try pass.run(&report, hasWritten: &hasWritten)
        if case .write = choice.job, report.result != .planned { report.newMessage = .present }
        return
      } catch {
        guard
          FailureText.isWorthAnotherPass(error)
            || (!retries.isRetrying && isDoubtful(error, on: tag)),
          retries.allowsAnother(
            after: error, program: report.program, elapsed: reader.clock.now() - start)
        else { throw FailureText.text(of: error, program: report.program, hasWritten: hasWritten) }
        progress(.retrying(reason: FailureText.reason(error), attempt: retries.count))
        try recover(session, from: error, program: report.program, hasWritten: hasWritten)
      }
    }
  }

  /// A MIFARE Classic that seems to refuse is looked at again before that is said: a lost answer looks like a wrong key
  /// or a block that does not show. (Other tags may count what they refuse.)
  private func isDoubtful(_ setback: Setback, on tag: Target) -> Bool {
    guard case .failure(let failure) = setback else { return false }
    return failure.kind == .refused && Geometry(tag) != nil
  }

  /// Waits until the same tag answers again.
  private func recover(
    _ session: TagSession, from setback: Setback, program: TagProgram?, hasWritten: Bool
  ) throws(ProgramFailure) {
    let deadline = clock.now + options.patience
    reader.takeMoreCare(after: setback.readerError)
    // Whether it still holds is for the next pass to find out.
    session.forgetPassword()
    while true {
      do throws(ReaderError) {
        return try session.selectAgain()
      } catch {
        let isAway: Bool
        switch error {
        case .tagLost(_, nil), .exchangeFailed, .noTag: isAway = true
        default: isAway = false
        }
        guard isAway, clock.now < deadline, !shouldStop() else {
          throw FailureText.text(
            of: .reader(error), program: program, hasWritten: hasWritten, after: setback)
        }
      }
    }
  }
}

/// What a run tells on its way.
public enum Progress: Sendable {
  /// No tag lies on the reader yet.
  case waiting
  case found(Target)
  case identified(Product)
  case planned(TagProgram)
  /// The step `number`, from 1, of `count` begins.
  case step(number: Int, count: Int, TagProgram.Step)
  /// A pass failed and another begins.
  case retrying(reason: String, attempt: Int)
}
