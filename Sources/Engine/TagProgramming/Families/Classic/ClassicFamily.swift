import Readers
import TagMemory

/// MIFARE Classic: Mini, 1K, 2K and 4K, and their copies.
enum ClassicFamily: TagFamily {
  /// A lost answer looks like a wrong key or a block that does not show. (Other tags may count what
  /// they refuse.)
  static let doubtsRefusals = true

  static func recognises(_ target: Target) -> Bool { geometry(of: target) != nil }

  /// Returns what `target` says of its size.
  static func geometry(of target: Target) -> Geometry? { Geometry(target) }

  static func session(with reader: TagReader, on target: Target) -> ClassicSession {
    ClassicSession(reader: reader, tag: target)
  }

  static func identify(_ session: ClassicSession, _ pass: PassContext) throws(Setback)
    -> TagIdentity
  {
    let identification = Identification(session.tag)
    return TagIdentity(identification.product, remarks: identification.remarks)
  }

  static func describe(_ survey: ClassicSurvey, for job: Job?) -> TagDescription {
    switch survey {
    case .nothing: return TagDescription()
    case .whole(let state, let target):
      return ClassicDescription(state: state, target: target).description(for: job)
    case .message(let found):
      guard job != nil else { return TagDescription(deciding: found.surveyor.state, found.area) }
      var description = TagDescription(found.surveyor.state, found.area)
      if case .lock = job, !found.surveyor.state.destroyedSectors.isEmpty {
        description.noteDestroyed(of: found.surveyor.state)
      }
      return description
    case .noMessage: return .withoutMessage
    case .trailers(let state):
      var description = TagDescription.withoutMessage
      description.content = state.content
      return description
    case .blocks(let state, _):
      var description = TagDescription()
      description.noteSize(state)
      return description
    case .basis(let basis, let format): return TagDescription(basis, format)
    }
  }

  static func plan(_ job: Job, on survey: ClassicSurvey, _ pass: PassContext)
    throws(JobFailure) -> JobPlan
  {
    let description = describe(survey, for: job)
    switch (job, survey) {
    case (.info, _), (.read, _), (.dump, _): return JobPlan(showing: description)
    case (.write, .basis(let basis, let format)), (.formatClassic, .basis(let basis, let format)):
      return try write(basis, format, pass)
    case (.resetClassic, .whole(let state, _)):
      return try reset(state, overwrites: false, description)
    case (.eraseClassic, .whole(let state, _)):
      return try reset(state, overwrites: true, description)
    case (.lock(let force), _): return try lock(survey, force: force, description)
    case (.restore(let restore), .whole(let state, let target)):
      return try Self.restore(restore, to: state, target, description)
    case (.writeBlocks(let write), .blocks(let state, let blocks)):
      return try writeBlocks(blocks, force: write.force, on: state, description)
    case (.writeBlocks(let write), .nothing(let geometry)):
      _ = try ClassicBlockPlanner.blocks(of: write, on: geometry)
      throw JobFailure(.mistake(.notSurveyed))
    case (.write, .nothing(let geometry)), (.protect, .nothing(let geometry)),
      (.unprotect, .nothing(let geometry)):
      throw JobFailure(
        .wrongKind(wanted: .password, tag: "\(geometry)"), remedy: .lockOrKeyInstead)
    case (.formatType4, .nothing(let geometry)):
      throw JobFailure(
        .wrongKind(wanted: .desFire, tag: "\(geometry)"), remedy: .writeInstead(formats: true))
    case (.writePages, .nothing(let geometry)):
      throw JobFailure(
        .wrongKind(wanted: .pages, tag: "\(geometry)"), remedy: .writeBlocksInstead)
    case (.formatFeliCa, .nothing(let geometry)):
      throw JobFailure(
        .wrongKind(wanted: .feliCaLite, tag: "\(geometry)"), remedy: .writeInstead(formats: true))
    default:
      throw JobFailure(.mistake(.notSurveyed))
    }
  }

  static func perform(_ step: TagProgram.Step, in session: ClassicSession) throws(ReaderError)
    -> Execution.Trouble?
  { try ClassicSteps.perform(step, in: session) }

  static func commands(of step: TagProgram.Step, in session: ClassicSession) -> [PlannedExchange] {
    ClassicSteps.commands(of: step)
  }

  /// What a run does that carries `plan` out: where the tag refuses a step that was planned without
  /// asking it, the run looks at all of it, plans again and goes on. A dry run asks the tag before.
  static func foresee(
    _ plan: JobPlan, of job: Job, on survey: ClassicSurvey, _ session: ClassicSession,
    _ pass: PassContext
  ) throws(Setback) -> JobPlan {
    guard case .basis(let first, let format) = survey, let program = plan.program,
      !pass.isThorough, program.changesTag
    else { return plan }
    var jobs = try jobs(session, pass)
    jobs.isThorough = true
    var basis = try surveying { () throws(ReaderError) in
      try jobs.learn(for: format, keeping: first.keepsArea)
    }
    guard let stop = basis.state.firstRefusal(of: program) else { return plan }
    let begun = program.steps[..<stop]
    let seen = basis
    basis.decided = ClassicDecision(state: first.state, way: first.way)
    basis.state = basis.state.seeing(begun)
    var rest = try planning { () throws(JobFailure) in
      try ClassicJobPlanner(basis: basis, format: format).plan()
    }
    rest.program = rest.program.following(begun)
    return JobPlan(rest, basis: seen, format: format)
  }
}
