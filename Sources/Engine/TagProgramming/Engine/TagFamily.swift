import Readers
import TagMemory

/// Tags that are surveyed, planned and written in one way: MIFARE Classic, Type 2, …
///
/// All that the engine knows of a kind of tag it asks here. To add a family: a folder with a type
/// that conforms, a line in `FamilyRegistry`, its places in `Place`, its tags in the simulator's
/// catalogue.
protocol TagFamily {
  /// The tag as this family's commands find it; what the tag forgets when it is selected again.
  associatedtype Session: TagSession
  /// What was learnt of a tag: a value.
  associatedtype State

  /// Is true if any of its tags can prove itself by its message.
  static var provesTags: Bool { get }

  /// Is true if any of its tags can show its UID in its message by itself.
  static var mirrors: Bool { get }

  /// Is true if a first refusal is looked at again before it is said, since a lost answer looks
  /// like one here.
  static var doubtsRefusals: Bool { get }

  /// What reads a message as it is to be copied: with all that decides how a tag shows it.
  static var copying: Job { get }

  /// Returns whether `target`, by what it said when it was activated, is such a tag.
  static func recognises(_ target: Target) -> Bool

  static func session(with reader: TagReader, on target: Target) -> Session

  /// Finds out which product it is, before anything else is asked. Throws where it is none that is
  /// known here.
  static func identify(_ session: Session, _ pass: PassContext) throws(Setback) -> TagIdentity

  /// Reads as little as `job` needs; nil stands for what a decision needs: status, capacity and
  /// message. `known` is what was learnt for a decision a moment ago.
  static func survey(_ session: Session, for job: Job?, knowing known: State?, _ pass: PassContext)
    throws(Setback) -> State

  /// Returns what the tag holds, as far as `state` tells.
  static func describe(_ state: State, for job: Job?) -> TagDescription

  /// Returns what `info` says of the tag that `dump` is of, as far as the dump tells; `counters`:
  /// of its counters, too. Nil for a dump of another family's tag.
  static func describe(_ dump: TagDump, counters: Bool) -> TagDescription?

  /// Returns whether it was seen that the tag has stored none of the writes that were sent to it.
  static func showsNoWrite(_ state: State) -> Bool

  /// All that `job` does to a tag in `state`: pure, and known before the first write. Throws where
  /// it must not be done.
  static func plan(_ job: Job, on state: State, _ pass: PassContext) throws(JobFailure)
    -> JobPlan

  /// What becomes of `plan` on this very tag, which is asked what it would refuse: for a dry run.
  /// The plan itself where nothing is left to ask.
  static func foresee(
    _ plan: JobPlan, of job: Job, on state: State, _ session: Session, _ pass: PassContext
  ) throws(Setback) -> JobPlan

  /// What the maker's signature says of the tag, which is asked for it; nil where its product has
  /// none that is known here.
  static func origin(_ session: Session, of product: Product, _ pass: PassContext)
    throws(Setback) -> OriginalitySignature.Verdict?

  /// Carries `step` out; nil when all is as wanted.
  static func perform(_ step: TagProgram.Step, in session: Session) throws(ReaderError)
    -> Execution.Trouble?

  /// The commands of `step` as the reader sends them in `session`, and the answers expected.
  static func commands(of step: TagProgram.Step, in session: Session) -> [PlannedExchange]

  /// Returns whether `failure` was that of a probe, and the tag, which is looked at, holds what it
  /// did before the first.
  static func isUntouched(
    after failure: Execution.Failure, in program: TagProgram, _ session: Session
  ) -> Bool

  /// The page or block that a step which failed may have left damaged, where this very job, run
  /// again, would take what is in it for somebody's data. Nil elsewhere, and where the plan itself
  /// knows.
  static func blindSpot(
    after failure: Execution.Failure, in program: TagProgram, of job: Job, on state: State,
    _ pass: PassContext
  ) -> Place?
}

extension TagFamily {
  static var provesTags: Bool { false }

  static var mirrors: Bool { false }

  static var doubtsRefusals: Bool { false }

  static var copying: Job { .read }

  static func showsNoWrite(_ state: State) -> Bool { false }

  static func origin(_ session: Session, of product: Product, _ pass: PassContext)
    throws(Setback) -> OriginalitySignature.Verdict?
  { nil }

  static func foresee(
    _ plan: JobPlan, of job: Job, on state: State, _ session: Session, _ pass: PassContext
  ) throws(Setback) -> JobPlan { plan }

  static func isUntouched(
    after failure: Execution.Failure, in program: TagProgram, _ session: Session
  ) -> Bool { false }

  static func blindSpot(
    after failure: Execution.Failure, in program: TagProgram, of job: Job, on state: State,
    _ pass: PassContext
  ) -> Place? { nil }
}

/// What a tag is.
struct TagIdentity {
  let product: Product?
  /// What is odd about it.
  let findings: [TagDescription.Finding]

  init(_ product: Product?, remarks: [String] = []) {
    self.product = product
    findings = remarks.map { TagDescription.Finding("product", $0) }
  }
}

/// What holds for one pass over a tag.
struct PassContext {
  let options: RunOptions
  /// How many passes have failed before this one.
  let number: Int

  /// An earlier pass failed: nothing is taken for granted.
  var isThorough: Bool { number > 0 }

  var credentials: Credentials { options.credentials }
}

/// A job on one tag, before its first write.
struct JobPlan {
  /// Nil where the job only looks.
  var program: TagProgram?
  /// The tag as it is.
  var before: TagDescription
  /// The tag once all is done and read back.
  var after: TagDescription
  /// What the job ends with all the same: some of the tag can never be as wanted.
  var shortfall: JobFailure?

  /// A job that only looks, and is done.
  init(showing description: TagDescription) {
    (before, after) = (description, description)
  }

  init(_ program: TagProgram, before: TagDescription, after: TagDescription) {
    (self.program, self.before, self.after) = (program, before, after)
  }
}
