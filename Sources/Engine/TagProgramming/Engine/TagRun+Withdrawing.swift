import NDEF
import Readers
import TagMemory

/// What is done for a tag that keeps other bytes than those of its message.
extension TagRun {
  /// Puts an empty message in the place of the one that `job` has written, where the tag was seen
  /// to hold other bytes: nobody is to follow those. Returns the failure with what the tag holds
  /// then.
  func withdrawingMessage(of job: Job, after failure: JobFailure) -> JobFailure {
    var failure = failure
    var torn: Holds.Torn?
    switch (failure.holds, failure.cause) {
    case (.stopped(let stopped, .messageDiffers), _): torn = stopped
    // A later pass looks at the bytes before it switches them on again, and has left them off.
    case (.stopped(let stopped, .emptyMessage), .step(let step))
    where step.trouble == .differs && course.newMessage != .absent:
      torn = stopped
    // A mirror on an empty tag shows itself only when there is something below it.
    case (.messageBelowMirror, .type2(.mirrored)) where course.hasWritten: break
    default: return failure
    }
    guard !course.mayBeAnother, let withdrawal = job.withdrawal, withdraws(withdrawal) else {
      return failure
    }
    (course.shows, course.newMessage) = (.emptyMessage, .absent)
    failure.holds = .stopped(writing: torn, .messageWithdrawn)
    return failure
  }

  /// Carries `withdrawal` out, once, and looks what came of it: the bytes behind an empty message
  /// may stay as they are. False where it cannot be seen.
  private func withdraws(_ withdrawal: Job) -> Bool {
    let pass = passContext(number: 1)
    do throws(Setback) {
      let (session, state) = try lookAfresh(for: withdrawal, pass)
      let plan = try planning { () throws(JobFailure) in
        try Family.plan(withdrawal, on: state, pass)
      }
      let program = plan.program ?? TagProgram()
      let count = program.steps.count
      let execution = Execution(
        session: session,
        exchange: { step throws(ReaderError) in try Family.perform(step, in: session) },
        shouldStop: { false },
        progress: { [programmer] index, step in
          programmer.progress(.step(number: index + 1, count: count, step))
        })
      do throws(Execution.Failure) {
        try execution.run(program)
      } catch {
        guard case .differs = error.trouble else { throw .execution(error) }
      }
      let (_, left) = try lookAfresh(for: nil, pass)
      return Family.describe(left, for: nil).content.isEmpty
    } catch {
      return false
    }
  }

  /// What the tag is and holds now, in a session that has sent nothing: the run's own would write
  /// once more what the tag does not keep.
  func lookAfresh(
    for job: Job?, _ pass: PassContext
  ) throws(Setback) -> (Family.Session, Family.State) {
    let session = Family.session(with: programmer.reader, on: session.tag)
    try surveying { () throws(ReaderError) in try session.selectAgain() }
    _ = try Family.identify(session, pass)
    return (session, try Family.survey(session, for: job, knowing: nil, pass))
  }
}

extension Job {
  /// What takes its message away; nil where it writes none.
  fileprivate var withdrawal: Job? {
    var options = WriteOptions()
    options.overwrite = true
    let message: Message?
    switch self {
    case .write(let written, let given): (message, options.sectors) = (written, given.sectors)
    case .formatClassic(let format): (message, options.sectors) = (format.message, format.sectors)
    case .formatType4(let format): message = format.message
    case .formatFeliCa(let format): message = format.message
    default: message = nil
    }
    return message.map { _ in .emptyMessage(options) }
  }
}
