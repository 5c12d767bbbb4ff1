import Readers
import TagMemory

/// NFC Forum Type 2 tags: MIFARE Ultralight, NTAG and their copies.
enum Type2Family: TagFamily {
  /// The configuration may change what the memory shows.
  static let copying = Job.info

  static let mirrors = true

  static func recognises(_ target: Target) -> Bool {
    if case .probe = Identification(target).next { true } else { false }
  }

  static func session(with reader: TagReader, on target: Target) -> Type2Session {
    Type2Session(reader: reader, tag: target)
  }

  static func identify(_ session: Type2Session, _ pass: PassContext) throws(Setback)
    -> TagIdentity
  {
    session.head = try surveying { () throws(ReaderError) in try readHead(session, pass) }
    if let identity = try expectedIdentity(of: session, pass) { return identity }
    return try ask(session)
  }

  /// Asks the tag which product it is.
  static func ask(_ session: Type2Session) throws(Setback) -> TagIdentity {
    let identification = try surveying { () throws(ReaderError) in
      try Type2Identifier(session: session).identify()
    }
    session.isTakenOnTrust = false
    guard let product = identification.product, product.type2 != nil else {
      throw .failure(UnknownTagRun.refusal(of: identification))
    }
    (session.product, session.version) = (product, identification.version)
    return TagIdentity(product, remarks: identification.remarks)
  }

  /// Pages 2 to 5; nothing where a password may hide even those.
  private static func readHead(_ session: Type2Session, _ pass: PassContext) throws(ReaderError)
    -> [UInt8]
  {
    for _ in 1...2 {
      do {
        return try session.readPages(.staticLocks, count: 4)
      } catch .exchangeFailed(let status) {
        guard pass.isThorough || pass.credentials.password != nil else {
          throw .exchangeFailed(status)
        }
        // A tag that can be selected again is there and refuses.
        try session.selectAgain()
      }
    }
    return []
  }

  static func showsNoWrite(_ survey: Type2Survey) -> Bool { survey.surveyor.showsNoWrite }

  static func describe(_ survey: Type2Survey, for job: Job?) -> TagDescription {
    guard survey.shutting == nil else { return TagDescription() }
    switch job {
    case .info:
      var description = Type2Description(state: survey.state, uid: survey.target.uid).description
      if survey.extras.wantsCounters {
        description.details += survey.state.counterDetails(survey.extras.counters)
      }
      description.dump = dumped(survey).dump
      return description
    case .read:
      var description = TagDescription(survey.state)
      // What is there in place of a message: the pages that were looked at.
      if description.status == .notSupported { description.memory = survey.state.rows }
      return description
    case .dump: return dumped(survey)
    default: return TagDescription(survey.state)
    }
  }

  static func plan(_ job: Job, on survey: Type2Survey, _ pass: PassContext) throws(JobFailure)
    -> JobPlan
  {
    let description = describe(survey, for: job)
    if let (page, bytes) = survey.shutting {
      var program = TagProgram()
      program.steps = [.checkRefusal(page, bytes)]
      return JobPlan(program, before: description, after: description)
    }
    let planner = Type2JobPlanner(survey: survey, job: job, isThorough: pass.isThorough)
    switch job {
    case .info, .read, .dump: return JobPlan(showing: description)
    case .write(let message, let options):
      return try planner.write(options.bytes(of: message), options)
    case .lock(let force): return try planner.lock(force: force)
    case .protect, .unprotect: return try planner.changePassword()
    case .restore(let restore): return try planner.restore(restore)
    case .writePages(let write): return try planner.writePages(write)
    case .writeBlocks:
      throw JobFailure(
        .wrongKind(wanted: .blocks, tag: "\(survey.state.product)"), remedy: .writePagesInstead)
    case .formatFeliCa:
      throw JobFailure(
        .wrongKind(wanted: .feliCaLite, tag: "\(survey.state.product)"),
        remedy: .writeInstead(formats: true))
    case .resetSDM: throw JobFailure.noProofs(survey.state.product)
    case .formatType4:
      throw JobFailure(
        .wrongKind(wanted: .desFire, tag: "\(survey.state.product)"),
        remedy: .writeInstead(formats: true))
    case .formatClassic, .resetClassic, .eraseClassic:
      throw JobFailure(
        .wrongKind(wanted: .classic, tag: "\(survey.state.product)"),
        remedy: .writeInstead(formats: true))
    }
  }

  static func perform(_ step: TagProgram.Step, in session: Type2Session) throws(ReaderError)
    -> Execution.Trouble?
  { try Type2Steps.perform(step, in: session) }

  static func commands(of step: TagProgram.Step, in session: Type2Session) -> [PlannedExchange] {
    Type2Steps.commands(
      of: step, readsFast: session.canFastRead, on: session.product?.type2)
  }

  static func isUntouched(
    after failure: Execution.Failure, in program: TagProgram, _ session: Type2Session
  ) -> Bool {
    guard failure.index < program.probes, case .reader(.exchangeFailed) = failure.trouble else {
      return false
    }
    do throws(ReaderError) {
      try session.selectAgain()
      for step in program.steps[...failure.index] {
        guard let (place, bytes) = step.written, let page = place.page,
          try session.readPages(page, count: 1) == bytes
        else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  static func blindSpot(
    after failure: Execution.Failure, in program: TagProgram, of job: Job, on survey: Type2Survey,
    _ pass: PassContext
  ) -> Place? {
    guard case .write(let message, let options) = job else { return nil }
    return Type2JobPlanner(survey: survey, job: job, isThorough: pass.isThorough)
      .messagePlanner(options.bytes(of: message), options)
      .blindSpot(of: program, stoppedAt: failure)
  }
}

extension TagDescription {
  /// Status, capacity and message as far as they were read.
  init(_ state: Type2State) {
    self.init()
    product = state.product
    hold(state.content)
    closed = state.closed
    guard let ndef = state.ndef else { return }
    access = state.status
    capacity = ndef.capacity
    findings += ndef.faults.map { Finding($0.code, "\($0)") } + state.findingsBeside
    findings += state.unknowns
  }
}

extension Job {
  /// The password, or key, that a `product` has once the job is done; nil where the job sets none.
  func lastingPassword(on product: Product) -> [UInt8]? {
    switch (self, product.type2) {
    case (.restore(let restore), let map?) where restore.force:
      return Type2RestorePlanner.password(in: restore, for: map)
    case (.writePages(let write), let map?):
      let range = map.key?.pages ?? map.configuration?.password.map { $0...$0 }
      let rows = AreaUpdate.units(of: write.bytes, size: Page.byteCount)
      let written = range?.compactMap { page in
        let index = Int(page.number) - write.start
        return rows.indices.contains(index) ? rows[index] : nil
      }
      guard let written, written.count == range?.count else { return nil }
      return map.key.map { $0.key(in: written) } ?? written.first
    default:
      guard case .set(let new)? = passwordChange?.fitting(product) else { return nil }
      return new.password
    }
  }

  /// What the job does to a tag's password; nil when it leaves it alone.
  var passwordChange: PasswordChange? {
    switch self {
    case .write(_, let options): options.protection.map(PasswordChange.set)
    case .protect(let protection): .set(protection)
    case .unprotect: .takeAway
    case .info, .read, .formatClassic, .resetClassic, .eraseClassic, .formatFeliCa, .formatType4,
      .resetSDM,
      .writeBlocks, .writePages, .lock, .dump, .restore:
      nil
    }
  }
}
