import Readers
import TagMemory

/// NFC Forum Type 4 tags: NTAG 424 DNA, DESFire, ST25TA, and whatever else speaks ISO-DEP.
enum Type4Family: TagFamily {
  static var provesTags: Bool { true }

  static func recognises(_ target: Target) -> Bool {
    switch target {
    case .typeA: Identification(target).product == .type4
    case .typeB: target.speaksISODEP
    case .feliCa, .topaz: false
    }
  }

  static func session(with reader: TagReader, on target: Target) -> Type4Session {
    Type4Session(reader: reader, tag: target)
  }

  static func identify(_ session: Type4Session, _ pass: PassContext) throws(Setback)
    -> TagIdentity
  {
    let uid = session.tag.uid
    session.product = session.tag.typeA == nil ? .type4 : .type4(uid: uid)
    if session.tag.typeA != nil, session.version == nil, Product.mayAnswerGetVersion(uid) {
      do throws(ReaderError) {
        session.version = try session.askVersion()
      } catch .exchangeFailed where pass.isThorough {
        // A card may fall silent at a command that it does not know.
        try surveying { () throws(ReaderError) in try session.selectAgain() }
      } catch {
        throw .reader(error)
      }
    }
    if let product = session.version?.product { session.product = product }
    return TagIdentity(session.product, remarks: Identification(session.tag).remarks)
  }

  static func survey(
    _ session: Type4Session, for job: Job?, knowing known: Type4State?, _ pass: PassContext
  ) throws(Setback) -> Type4State {
    // A message that follows a decision needs no second look at the container.
    var isKnown = false
    if case .write(_, let options) = job { isKnown = !options.lock }
    var surveyor = Type4Surveyor(
      session: session, pass: pass, knowing: isKnown ? known : nil)
    do throws(ReaderError) {
      try surveyor.survey(for: job)
      switch job {
      case .info:
        try surveyor.surveyTamperLoop()
        if pass.options.readsCounters { try surveyor.surveyReadings() }
      default: break
      }
      let wantsLock: Bool
      switch job {
      case .lock: wantsLock = true
      case .write(_, let options) where options.personalisation != nil:
        if let personalisation = options.personalisation {
          try surveyor.surveyProofs(personalisation)
        }
        wantsLock = false
      case .resetSDM(let personalisation):
        try surveyor.surveyProofs(personalisation)
        wantsLock = false
      case .write(_, let options): wantsLock = options.lock
      case .formatType4(let format):
        try surveyor.surveyDESFire(keys: pass.credentials.cardKeys, new: format.newKey)
        wantsLock = false
      default: wantsLock = false
      }
      if wantsLock {
        try surveyor.surveyDESFire(keys: pass.credentials.cardKeys, new: nil)
        try surveyor.surveyChangeKey(keys: pass.credentials.cardKeys)
      }
    } catch .tagLost(_, found: nil)
      where job == .info && session.tag.typeA == nil
    {
      // Some boards list a card of type B and cannot select it: it is named all the same.
      surveyor.state.isOutOfReach = true
    } catch {
      throw .reader(error)
    }
    surveyor.state.isPasswordRefused = session.isPasswordRefused
    surveyor.state.usesLRP = session.usesLRP
    return surveyor.state
  }

  static func describe(_ state: Type4State, for job: Job?) -> TagDescription {
    var description = TagDescription(state)
    switch job {
    case .info:
      description.addDetails(state)
      if state.wantsReadings { description.details.append(state.readingsDetail) }
    case .dump: description.dump = state.dump
    default: break
    }
    return description
  }

  static func plan(_ job: Job, on state: Type4State, _ pass: PassContext) throws(JobFailure)
    -> JobPlan
  {
    let planner = Type4JobPlanner(state: state, job: job)
    switch job {
    case .info, .read: return JobPlan(showing: describe(state, for: job))
    case .dump:
      _ = try planner.requireApplication()
      return JobPlan(showing: describe(state, for: job))
    case .write(let message, let options):
      return try planner.write(options.bytes(of: message), options)
    case .resetSDM(let personalisation): return try planner.reset(personalisation)
    case .formatType4(let format): return try planner.format(format)
    case .lock(let force): return try planner.lock(force: force)
    case .restore(let restore): return try planner.restore(restore)
    case .protect, .unprotect:
      throw JobFailure.type4(.noPassword(state.product), .lockInstead)
    case .writePages, .writeBlocks:
      throw JobFailure.type4(.noPages(state.product), .writeInstead(formats: false))
    case .formatFeliCa:
      throw JobFailure(
        .wrongKind(wanted: .feliCaLite, tag: "\(state.product)"),
        remedy: .writeInstead(formats: false))
    case .formatClassic, .resetClassic, .eraseClassic:
      throw JobFailure(
        .wrongKind(wanted: .classic, tag: "\(state.product)"),
        remedy: .writeInstead(formats: false))
    }
  }

  static func perform(_ step: TagProgram.Step, in session: Type4Session) throws(ReaderError)
    -> Execution.Trouble?
  { try Type4Steps.perform(step, in: session) }

  static func commands(of step: TagProgram.Step, in session: Type4Session) -> [PlannedExchange] {
    Type4Steps.commands(of: step, in: session)
  }
}
