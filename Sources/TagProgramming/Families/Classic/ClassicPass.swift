import NDEF
import Readers
import TagMemory

/// One pass over a MIFARE Classic.
struct ClassicPass {
  let pass: Pass
  let geometry: Geometry

  var jobs: ClassicJobs {
    ClassicJobs(
      session: pass.session, geometry: geometry, credentials: pass.options.credentials,
      isThorough: pass.isThorough)
  }

  func run(_ report: inout TagReport, hasWritten: inout Bool) throws(Setback) {
    var found: ClassicJobs.Found?
    var job = pass.choice.job
    if job == nil { job = try decide(&found, &report) }
    guard let job else { return }
    switch job {
    case .info:
      let state = try surveying { () throws(ReaderError) in try jobs.surveyAll() }
      ClassicDescription(state: state, target: pass.session.tag).fill(&report)
      report.result = .read
    case .read:
      try read(&report)
    case .write(let message, let options):
      try write(message, options, into: found, &report, hasWritten: &hasWritten)
    case .formatClassic(let format):
      try make(format, keeping: false, &report, hasWritten: &hasWritten)
    case .resetClassic:
      let (program, state) = try jobs.reset()
      report.status = .notSupported
      let destroyed = state.destroyedSectors
      report.noteSize(state)
      report.noteDestroyed(destroyed, isMarked: false)
      try pass.carryOut(program, &report, hasWritten: &hasWritten)
      guard !destroyed.isEmpty else { return }
      // A run ends so however well the other sectors go, and a dry run says it before.
      let others = "every other sector is back in the state of delivery."
      throw .failure(
        ProgramFailure(
          .refused,
          "\(ClassicWords.list(destroyed)) destroyed: the access bits are invalid, for good.",
          tagHolds: report.result == .planned ? "unchanged." : others,
          next: "use another tag where all sectors are needed."))
    case .lock(let force):
      try lock(force: force, &report, hasWritten: &hasWritten)
    case .dump:
      let state = try surveying { () throws(ReaderError) in try jobs.surveyAll() }
      ClassicDescription(state: state, target: pass.session.tag).fill(&report)
      report.memory = []
      report.details = []
      report.dump = state.dump(of: pass.session.tag)
      report.noteUnknown(state)
      report.result = .read
    case .restore(let job):
      try restore(job, &report, hasWritten: &hasWritten)
    case .protect, .unprotect:
      throw Self.hasNoPassword(geometry)
    case .writePages:
      throw .failure(
        ProgramFailure(
          .badInput, "The tag is a \(geometry), which has blocks and no pages.",
          tagHolds: "unchanged.", next: "use write-url or write."))
    }
  }

  /// Reads the message, if there is one, and asks what is to be done.
  private func decide(
    _ found: inout ClassicJobs.Found?, _ report: inout TagReport
  ) throws(Setback) -> Job {
    found = try surveying { () throws(ReaderError) in
      var found = try jobs.find()
      if let end = found?.scan.message?.endOffset { _ = try found?.read(end) }
      return found
    }
    report.status = found?.status ?? .notSupported
    if let found { describe(found.surveyor.state, found.area, &report) }
    return try pass.choice.make(
      for: TagFound(
        target: pass.session.tag, product: report.product,
        status: report.status ?? .notSupported, capacity: report.capacity,
        message: found?.scan.message?.value))
  }

  private func read(_ report: inout TagReport) throws(Setback) {
    guard var found = try surveying({ () throws(ReaderError) in try jobs.find() }) else {
      // No NDEF tag: what it holds instead, somebody's data or nothing, takes a look at all of it.
      let state = try surveying { () throws(ReaderError) in try jobs.surveyAll() }
      ClassicDescription(state: state, target: pass.session.tag).fill(&report)
      report.details = []
      report.result = .read
      return
    }
    do throws(ReaderError) {
      if let end = found.scan.message?.endOffset { _ = try found.read(end) }
      if let first = found.area.sectors.first { try found.surveyor.readTrailer(of: first) }
    } catch {
      throw .reader(error)
    }
    report.status = found.status
    describe(found.surveyor.state, found.area, &report)
    report.result = .read
    report.verified = true
  }

  private static func hasNoPassword(_ geometry: Geometry) -> Setback {
    .failure(
      ProgramFailure(
        .badInput, "A \(geometry) has keys and no password.", tagHolds: "unchanged.",
        next: "lock makes it read-only for good; format-classic --key-b keeps its trailers yours."))
  }

  private func write(
    _ message: Message, _ options: WriteOptions, into known: ClassicJobs.Found? = nil,
    _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    guard options.protection == nil else { throw Self.hasNoPassword(geometry) }
    var format = ClassicFormat()
    format.message = message
    format.encoding = options.encoding
    format.overwrite = options.overwrite
    format.lock = options.lock
    try make(format, keeping: true, from: known, &report, hasWritten: &hasWritten)
  }

  private func lock(force: Bool, _ report: inout TagReport, hasWritten: inout Bool) throws(Setback)
  {
    report.status = .notSupported
    var found = try surveying { () throws(ReaderError) in try jobs.find(withTrailers: true) }
    if let end = found?.scan.message?.endOffset {
      _ = try surveying { () throws(ReaderError) in try found?.read(end) }
    }
    if let found {
      report.status = found.status
      describe(found.surveyor.state, found.area, &report)
    }
    let destroyed = found?.surveyor.state.destroyedSectors ?? []
    guard destroyed.isEmpty else {
      if let found { report.noteDestroyed(of: found.surveyor.state) }
      throw .failure(
        ProgramFailure(
          .refused,
          "\(ClassicWords.list(destroyed)) destroyed: the access bits are invalid, for good.",
          tagHolds: "unchanged.",
          next: "write the message again, into the other sectors: write-url URL --lock."))
    }
    if found == nil { try requireTrailers() }
    try report.requireMessage(force: force)
    guard let found else { return }
    let (state, sectors) = (found.surveyor.state, found.area.sectors)
    let program = try planning { () throws(ProgramFailure) in
      try ClassicLockPlanner(state: state, sectors: sectors).plan()
    }
    report.noteLockBytes(state.mislabelledLocks(in: sectors), of: program)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.noteLocked()
  }

  /// Throws where a sector that the directory calls NFC opens with no key: then the tag seems to be no NDEF tag.
  private func requireTrailers() throws(Setback) {
    let state = try surveying { () throws(ReaderError) in try jobs.surveyTrailers() }
    if let failure = ClassicWords.notTaken(state.geometry.sectors, state: state) {
      throw .failure(failure)
    }
    let sectors = state.directory()?.nfcSectors(on: geometry) ?? []
    let closed = sectors.filter { state.sectors[$0].map { $0.opener == nil } ?? false }
    guard !closed.isEmpty else { return }
    throw .failure(ClassicWords.unopened(closed, state: state))
  }

  /// Brings the tag to what `format` says, in one program; `keeping` and `known` as in `ClassicJobs.learn`.
  private func make(
    _ format: ClassicFormat, keeping: Bool, from known: ClassicJobs.Found? = nil,
    _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    let basis = try surveying { () throws(ReaderError) in
      try jobs.learn(for: format, keeping: keeping, from: known)
    }
    report.note(basis, format)
    var plan = try planning { () throws(ProgramFailure) in
      try ClassicJobPlanner(basis: basis, format: format).plan()
    }
    if pass.options.dryRun { plan = try foresee(plan, format, keeping: keeping, &report) }
    if case .format = basis.way { report.capacity = plan.after.capacity(of: plan.area) }
    if format.lock {
      let mislabelled = plan.after.mislabelledLocks(in: plan.area.sectors)
      report.noteLockBytes(mislabelled, of: plan.program)
    }
    guard try pass.carryOut(plan.program, &report, hasWritten: &hasWritten) else { return }
    report.status = plan.after.status(of: plan.area)
    if format.lock { report.noteLocked() }
    if let bytes = format.messageBytes {
      report.setMessage(bytes)
    } else {
      report.setMessage(plan.after.scan(of: plan.area).message)
    }
  }

  /// What a run does that carries out `plan`: where the tag refuses a step that was planned without asking it, the run looks at all of
  /// it, plans anew and goes on. A dry run asks the tag before.
  private func foresee(
    _ plan: ClassicPlan, _ format: ClassicFormat, keeping: Bool, _ report: inout TagReport
  ) throws(Setback) -> ClassicPlan {
    guard !pass.isThorough, plan.program.changesTag else { return plan }
    var jobs = jobs
    jobs.isThorough = true
    var basis = try surveying { () throws(ReaderError) in
      try jobs.learn(for: format, keeping: keeping)
    }
    guard let stop = basis.state.firstRefusal(of: plan.program) else { return plan }
    let begun = plan.program.steps[..<stop]
    report.note(basis, format)
    basis.state = basis.state.seeing(begun)
    var rest = try planning { () throws(ProgramFailure) in
      try ClassicJobPlanner(basis: basis, format: format).plan()
    }
    rest.program = rest.program.following(begun)
    return rest
  }

  private func describe(_ state: ClassicState, _ area: NDEFArea, _ report: inout TagReport) {
    report.capacity = state.capacity(of: area)
    report.setMessage(state.scan(of: area).message)
  }
}

extension TagReport {
  /// Every NFC sector is read-only now.
  fileprivate mutating func noteLocked() {
    isLocked = true
    status = .readOnly
  }

  /// Names sectors that are locked and say that they are not, and stay so: `program` does not write them.
  fileprivate mutating func noteLockBytes(_ sectors: [Sector], of program: TagProgram) {
    findings.removeAll { $0.code == "lock-byte" }
    let left = sectors.filter { !program.writtenTrailers.contains($0) }
    guard !left.isEmpty else { return }
    findings.append(
      Finding(
        "lock-byte",
        "\(ClassicWords.list(left)) locked for good, yet the general purpose byte says that writing is free; that stays so."
      ))
  }

  /// Says that the message which was on the tag is gone with the `sector` that it started in. Once the directory is written anew
  /// it names others: what was said before (`isKnown`: not yet) stays.
  fileprivate mutating func noteLost(_ sector: Sector?, isKnown: Bool, _ format: ClassicFormat) {
    guard isKnown else { return }
    findings.removeAll { $0.code == "message-lost" }
    guard let sector, format.messageBytes == nil else { return }
    findings.append(
      Finding(
        "message-lost",
        "The message on the tag started in \(sector.description.lowercased()), which is lost; the tag gets an empty one."
      ))
  }

  /// What the tag is before anything is written.
  fileprivate mutating func note(_ basis: ClassicBasis, _ format: ClassicFormat) {
    findings.removeAll { ["sector-destroyed", "sector-closed", "ndef"].contains($0.code) }
    noteSize(basis.state)
    noteLost(basis.state.lostStart, isKnown: basis.state.sent[1] == nil, format)
    switch basis.way {
    case .message(let area):
      status = basis.state.status(of: area)
      capacity = basis.state.capacity(of: area)
      setMessage(basis.state.scan(of: area).message)
    case .format(let isSurveyed):
      status = .notSupported
      if isSurveyed { noteClosed(basis.state.closedSectors(for: format)) }
      noteDestroyed(basis.state.destroyedSectors, isMarked: true)
    }
  }
}

extension ClassicJobs.Found {
  var status: NDEFStatus { surveyor.state.status(of: area) }
}
