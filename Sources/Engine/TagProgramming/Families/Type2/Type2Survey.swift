import Readers
import TagMemory

/// What a survey has learnt of a Type 2 tag, and what this run has done to it.
struct Type2Survey {
  /// Goes on asking the tag from where this survey ended.
  let surveyor: Type2Surveyor
  let target: Target
  let state: Type2State
  /// The tag as this run means it: what was sent stands for what is there.
  let meaning: Type2State
  /// The pages that this run has written and that show something else.
  let wrongPages: Set<Page>
  /// What pages held before this run wrote them.
  let firstSeen: [Page: [UInt8]]
  /// What this run has written so far.
  let sent: [Page: [UInt8]]
  /// What a dump has beside the pages.
  var extras = Type2Extras()
  /// An earlier pass has sent what shuts an Ultralight C, the last write of all, and the tag hides
  /// it now: that it refuses to be written is all that can still be seen.
  var shutting: (page: Page, bytes: [UInt8])?

  init(_ surveyor: Type2Surveyor) {
    let session = surveyor.session
    self.surveyor = surveyor
    target = session.tag
    (state, meaning) = (surveyor.state, surveyor.meaning)
    (wrongPages, firstSeen) = (surveyor.wrongPages, session.firstSeen)
    sent = session.sent.pages
  }

  /// As the state's own, and names a page that failed in place of a password that was never set.
  func requireRights(for program: TagProgram) throws(JobFailure) {
    do {
      try state.requireRights(for: program)
    } catch {
      throw state.failedProtection(wrongPages, meaning) ?? error
    }
  }

  /// Notes in `program` the pages that an earlier pass has written and that hold something else.
  /// Throws where it cannot put one of them right.
  func notingRepairs(in plan: TagProgram) throws(JobFailure) -> TagProgram {
    var program = plan
    // A page that holds what it held before has not been written at all: the tag refuses it.
    let repaired = wrongPages.filter { page in
      firstSeen[page].map { $0 != state.memory[page] } ?? false
    }
    program.repairs = Set(repaired.map(Place.page))
    guard
      let page = wrongPages.subtracting(state.map.counter.map { [$0] } ?? [])
        .sorted().first(where: { !program.writes(.page($0)) }),
      let found = state.memory[page], let meant = meaning.memory[page]
    else { return program }
    throw JobFailure(
      .type2(.pageDiffers(page, found: found, wanted: meant)), remedy: .useAnotherTag)
  }
}

/// What a Type 2 chip tells beside its pages; nil and none where it does not.
struct Type2Extras {
  var version: VersionAnswer?
  var signature: [UInt8]?
  var counters: [Int: Int] = [:]
  /// Is true if the counters were asked for by themselves.
  var wantsCounters = false
}

extension Type2Family {
  static func survey(
    _ session: Type2Session, for job: Job?, knowing known: Type2Survey?, _ pass: PassContext
  ) throws(Setback) -> Type2Survey {
    var surveyor: Type2Surveyor
    if try !finds(another: job, than: session), let known {
      surveyor = known.surveyor
    } else {
      surveyor = try Self.surveyor(in: session, pass)
    }
    do {
      return try survey(&surveyor, for: job, pass)
    } catch {
      throw surveyor.provingUnchanged(after: surveyor.naming(error))
    }
  }

  private static func survey(
    _ surveyor: inout Type2Surveyor, for job: Job?, _ pass: PassContext
  ) throws(Setback) -> Type2Survey {
    let session = surveyor.session
    surveyor.change = job?.passwordChange?.fitting(surveyor.state.product)
    surveyor.lastingPassword = job?.lastingPassword(on: surveyor.state.product)
    if case .restore(let restore) = job {
      surveyor.heldPassword = Type2RestorePlanner.password(in: restore, for: surveyor.state.map)
      surveyor.risksHeldPassword = restore.force && restore.image.uid == session.tag.uid
    }
    var extras = Type2Extras()
    switch job {
    case nil:
      if surveyor.state.memory.capabilityContainer?.isNDEF ?? false {
        try surveyor.surveyForReading()
      }
    case .info:
      try surveyor.surveyAll()
      if pass.options.readsCounters {
        extras.counters = try readCounters(of: surveyor.state.product, session)
        extras.wantsCounters = true
      }
    case .read: try surveyor.surveyForReading()
    case .write(let message, let options):
      try surveyor.surveyForWriting(
        options.bytes(of: message).count, overwrite: options.overwrite, lock: options.lock,
        mirror: options.mustReadAsWritten || options.mirror != nil)
      try surveyor.surveySent()
      try surveyor.proveRights(writing: options.bytes(of: message), options)
    case .lock:
      try surveyor.surveyForLocking()
      try surveyor.surveySent()
    case .protect, .unprotect:
      // The plan refuses a chip that cannot have it, once it is known that it is the one expected.
      let (product, change) = (surveyor.state.product, surveyor.change)
      let mayHave: Void? = try? Type2ProtectionPlanner.requireSecret(of: product, for: change)
      if mayHave != nil { try surveyor.surveyForProtection() }
    case .dump:
      try surveyor.surveyAll()
      extras = try readExtras(of: surveyor.state.product, session)
    case .restore:
      if let shutting = try shutting(&surveyor, pass) { return shutting }
      try surveyor.surveyForRestoring()
    case .writePages(let write):
      if let shutting = try shutting(&surveyor, pass) { return shutting }
      // An earlier pass may have switched on what asks for the password that it has proven.
      surveyor.heldPassword = session.provenPassword
      let state = surveyor.state
      // Likewise pages that the chip does not have.
      let pages = try? PageWritePlanner.pages(of: write, map: state.map, of: state.product)
      if let pages { try surveyor.surveyPages(pages) }
    case .formatClassic, .resetClassic, .eraseClassic, .writeBlocks, .formatFeliCa, .formatType4,
      .resetSDM:
      break
    }
    var survey = Type2Survey(surveyor)
    survey.extras = extras
    if surveyor.state.map.likelyAUTH0 != nil, let job,
      let program = try? plan(job, on: survey, pass).program
    {
      try surveyor.requireLikelyRights(for: program)
    }
    return survey
  }

  private static func surveyor(in session: Type2Session, _ pass: PassContext) throws(Setback)
    -> Type2Surveyor
  {
    guard let product = session.product, let map = product.type2 else {
      throw .failure(JobFailure(.mistake(.notIdentified)))
    }
    session.head = try surveying { () throws(ReaderError) in
      try session.withoutClosed(session.head, from: .staticLocks)
    }
    var surveyor = Type2Surveyor(
      session: session, product: product, map: map, head: session.head,
      password: pass.credentials.secret(for: product), isThorough: pass.isThorough)
    surveyor.isRehearsal = pass.options.dryRun
    surveyor.hasListedPassword = pass.credentials.isListed
    surveyor.refusedPasswords = pass.options.refusedPasswords
    return surveyor
  }

  private static func shutting(_ surveyor: inout Type2Surveyor, _ pass: PassContext)
    throws(Setback) -> Type2Survey?
  {
    guard pass.isThorough, let page = surveyor.state.map.tripleDES?.auth0,
      let bytes = surveyor.session.sent[.page(page)]
    else { return nil }
    let isHidden: Bool
    do {
      isHidden = try surveyor.hidesProtection()
    } catch {
      throw .reader(error)
    }
    guard isHidden else { return nil }
    var survey = Type2Survey(surveyor)
    survey.shutting = (page, bytes)
    return survey
  }
}
