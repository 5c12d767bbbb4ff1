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

  /// Nil when all is as wanted.
  private func exchange(_ step: TagProgram.Step) throws(ReaderError) -> Trouble? {
    switch step {
    case .authenticate(let sector, let candidate):
      return try session.authenticate(sector, candidate) ? nil : .keyRefused
    case .writeBlock(let block, let bytes, let purpose):
      try session.reader.writeBlock(Int(block.index), bytes)
      if purpose == .trailer || purpose == .lock { session.forgetSector() }
      return nil
    case .checkBlock(let block, let expected):
      let found = try session.reader.readBlock(Int(block.index))
      return Self.matches(found, expected) ? nil : .differs(found: found)
    case .writePage(let page, let bytes, let purpose):
      try session.wake()
      // From here on the old password may be wrong, whatever becomes of this exchange.
      if purpose == .secret { session.passwordIsChanging() }
      try session.reader.writePage(Int(page.number), bytes, isSecret: purpose == .secret)
      return nil
    case .checkPages(let first, let expected):
      let found = try session.readPages(first, count: expected.count / Page.byteCount)
      return Self.matches(found, expected) ? nil : .differs(found: found)
    case .enterPassword(let password, let pack):
      guard let found = try session.authenticate(password: password) else { return .keyRefused }
      return found == pack ? nil : .differs(found: found)
    case .checkRefusal(let page, let bytes):
      return try session.refuses(writing: bytes, to: page) ? nil : .unprotected
    }
  }

  private static func matches(_ found: [UInt8], _ expected: [UInt8?]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { $1 == nil || $0 == $1 }
  }
}
