import Readers
import TagMemory

/// NFC Forum Type 3 tags: FeliCa Lite and Lite-S, and other FeliCa tags that were formatted for
/// NDEF.
enum FeliCaFamily: TagFamily {
  static func recognises(_ target: Target) -> Bool {
    target.feliCa.map { !$0.isPeer } ?? false
  }

  static func session(with reader: TagReader, on target: Target) -> FeliCaSession {
    FeliCaSession(reader: reader, tag: target)
  }

  static func identify(_ session: FeliCaSession, _ pass: PassContext) throws(Setback)
    -> TagIdentity
  { TagIdentity(session.chip.product) }

  static func survey(
    _ session: FeliCaSession, for job: Job?, knowing known: FeliCaState?, _ pass: PassContext
  ) throws(Setback) -> FeliCaState {
    try surveying { () throws(ReaderError) in
      var surveyor = FeliCaSurveyor(session, knowing: known)
      if known == nil { try surveyor.readHead() }
      // What this run has sent tells a torn block from somebody's.
      surveyor.noteSent()
      switch job {
      case nil, .read: try surveyor.readMessage()
      case .lock: try surveyor.readMessage(forLocking: true)
      case .info, .dump, .restore: try surveyor.readAll()
      case .write(let message, let options):
        try surveyor.readForWriting(
          options.bytes(of: message).count, overwrite: options.overwrite)
      case .formatFeliCa(let format):
        try surveyor.readForWriting(
          format.messageBytes?.count ?? 0, overwrite: format.overwrite)
      default: break
      }
      try surveyor.readSent()
      session.blocksPerRead = surveyor.state.blocksPerRead
      return surveyor.state
    }
  }

  static func describe(_ state: FeliCaState, for job: Job?) -> TagDescription {
    var description = TagDescription(state)
    switch job {
    case .info:
      description.explain(state)
      description.keep(state)
    case .read where description.status == .notSupported: description.memory = state.rows
    case .dump:
      description.keep(state)
      description.noteUnread(state)
    default: break
    }
    return description
  }

  static func plan(_ job: Job, on state: FeliCaState, _ pass: PassContext) throws(JobFailure)
    -> JobPlan
  {
    let planner = FeliCaJobPlanner(state: state)
    switch job {
    case .info, .read: return JobPlan(showing: describe(state, for: job))
    case .dump: return try planner.dump()
    case .write(let message, let options):
      return try planner.write(options.bytes(of: message), options)
    case .formatFeliCa(let format): return try planner.format(format)
    case .lock(let force): return try planner.lock(force: force)
    case .restore(let restore): return try planner.restore(restore)
    case .protect, .unprotect: throw planner.noPasswords
    default: throw planner.otherFamily
    }
  }

  static func perform(_ step: TagProgram.Step, in session: FeliCaSession) throws(ReaderError)
    -> Execution.Trouble?
  { try FeliCaSteps.perform(step, in: session) }

  static func commands(of step: TagProgram.Step, in session: FeliCaSession) -> [PlannedExchange] {
    FeliCaSteps.commands(of: step, in: session)
  }
}
