import Readers
import TagMemory

/// Carries out a program's steps in their order; what to do about a failure is decided above.
struct Execution {
  /// Why a step did not end as planned.
  enum Trouble: Error, Hashable {
    /// The exchange failed.
    case reader(ReaderError)
    /// The sector's key is not the one the plan counts on.
    case keyRefused
    /// The tag answered a command with a status that says it was not carried out.
    case answered(StatusWord)
    /// The tag holds something else than was written.
    case differs(found: [UInt8])
    /// The tag took a write that should have needed the password.
    case unprotected
    /// Somebody asked for the run to end; every step so far is complete.
    case stopped
  }

  /// Where it stopped.
  struct Failure: Error, Hashable {
    let step: TagProgram.Step
    /// Number of the step, from 0.
    let index: Int
    let trouble: Trouble
  }

  let session: TagSession
  /// How the tag's family carries a step out: nil when all is as wanted.
  let exchange: (TagProgram.Step) throws(ReaderError) -> Trouble?
  let shouldStop: () -> Bool
  /// Told before each step.
  let progress: (Int, TagProgram.Step) -> Void

  func run(_ program: TagProgram) throws(Failure) {
    for (index, step) in program.steps.enumerated() {
      progress(index, step)
      do throws(Trouble) {
        guard !shouldStop() else { throw .stopped }
        try perform(step)
      } catch {
        throw Failure(step: step, index: index, trouble: error)
      }
    }
  }

  private func perform(_ step: TagProgram.Step) throws(Trouble) {
    let trouble: Trouble?
    session.sent.note(step)
    do {
      trouble = try exchange(step)
    } catch {
      throw .reader(error)
    }
    if let trouble { throw trouble }
  }
}

extension TagProgram.Step {
  /// Nil when `found` is what `expected` says.
  func trouble(finding found: [UInt8], for expected: [UInt8?]) -> Execution.Trouble? {
    let isThere =
      found.count == expected.count && zip(found, expected).allSatisfy { $1 == nil || $0 == $1 }
    return isThere ? nil : .differs(found: found)
  }

  /// What a family answers that gets a step of another: only a planner that is wrong makes one.
  func isOfAnotherFamily() -> Execution.Trouble? {
    preconditionFailure("this tag type has no step like this: \(self)")
  }
}
