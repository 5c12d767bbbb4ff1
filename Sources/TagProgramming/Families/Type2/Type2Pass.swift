import NDEF
import Readers
import TagMemory

/// One pass over a Type 2 tag.
struct Type2Pass {
  let pass: Pass

  func run(_ report: inout TagReport, hasWritten: inout Bool) throws(Setback) {
    let session = pass.session
    let head = try surveying { () throws(ReaderError) in try readHead() }
    let identification = try surveying { () throws(ReaderError) in
      try Type2Identifier(session: session).identify()
    }
    guard let product = identification.product, let map = product.type2 else {
      return try pass.describe(identification, &report)
    }
    report.product = product
    pass.progress(.identified(product))
    for remark in identification.remarks {
      report.findings.append(TagReport.Finding("product", remark))
    }
    var surveyor = Type2Surveyor(
      session: session, product: product, map: map, head: head,
      password: pass.options.credentials.password, isThorough: pass.isThorough)
    var job = pass.choice.job
    if job == nil { job = try decide(&surveyor, &report) }
    guard let job else { return }
    surveyor.change = job.passwordChange
    if case .restore(let restore) = job {
      surveyor.heldPassword = Type2RestorePlanner.password(in: restore, for: map)
    }
    switch job {
    case .info:
      try surveyor.surveyAll()
      Type2Description(state: surveyor.state, target: session.tag).fill(&report)
      report.result = .read
    case .read:
      try surveyor.surveyForReading()
      describe(surveyor.state, &report)
      // What is there in place of a message: the pages that were looked at tell somebody's data from none.
      if report.status == .notSupported { report.memory = surveyor.state.rows }
      report.result = .read
      report.verified = true
    case .write(let message, let options):
      try write(message, options, surveyor, &report, hasWritten: &hasWritten)
    case .lock(let force):
      try lock(force: force, surveyor, &report, hasWritten: &hasWritten)
    case .protect, .unprotect:
      try changePassword(surveyor, &report, hasWritten: &hasWritten)
    case .dump:
      try surveyor.surveyAll()
      describe(surveyor.state, &report)
      try dump(surveyor.state, version: identification.version, &report)
    case .restore(let job):
      try restore(job, surveyor, &report, hasWritten: &hasWritten)
    case .writePages(let job):
      try writePages(job, surveyor, &report, hasWritten: &hasWritten)
    case .formatClassic, .resetClassic:
      throw .failure(
        ProgramFailure(
          .badInput, "The tag is a \(product.displayName), no MIFARE Classic.",
          tagHolds: "unchanged.",
          next: "use write-url or write: they format blank tags of this type."))
    }
  }

  /// Pages 2 to 5; nothing where a password may hide even those.
  private func readHead() throws(ReaderError) -> [UInt8] {
    let session = pass.session
    do {
      return try session.readPages(.staticLocks, count: 4)
    } catch .exchangeFailed(let status) {
      guard pass.isThorough || pass.options.credentials.password != nil else {
        throw .exchangeFailed(status)
      }
      try session.selectAgain()
      return []
    }
  }

  private func write(
    _ message: Message, _ options: WriteOptions, _ surveyor: Type2Surveyor,
    _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    var surveyor = surveyor
    let bytes = options.bytes(of: message)
    try surveyor.surveyForWriting(
      bytes.count, overwrite: options.overwrite, lock: options.lock,
      mirror: options.mustReadAsWritten)
    try surveyor.surveySent()
    describe(surveyor.state, &report)
    let (state, meaning) = (surveyor.state, surveyor.meaning)
    let planner = messagePlanner(bytes, options, on: state, meaning: meaning)
    var program = try planning { () throws(ProgramFailure) in
      try plan(bytes, options, on: state, meaning: meaning)
    }
    if pass.options.dryRun { program = try foresee(program, bytes, options, surveyor) }
    try noteRepairs(surveyor, in: &program)
    let isDone: Bool
    do throws(Setback) {
      isDone = try pass.carryOut(program, &report, hasWritten: &hasWritten)
    } catch {
      if case .execution(let failure) = error {
        report.program?.doubtfulPage = planner.doubtfulPage(program, stoppedAt: failure)
      }
      throw error
    }
    report.noteMirror(program)
    guard isDone else { return }
    if program.changesTag { report.status = .readWrite }
    report.setMessage(bytes)
    noteAccess(&report, lock: options.lock)
  }

  private func messagePlanner(
    _ message: [UInt8], _ options: WriteOptions, on state: Type2State, meaning: Type2State
  ) -> Type2MessagePlanner {
    Type2MessagePlanner(
      state: state, meaning: meaning, uid: pass.session.tag.uid, message: message,
      overwrite: options.overwrite, mustReadAsWritten: options.mustReadAsWritten,
      force: options.force)
  }

  /// All that writing a message does: the message, the password, the locks, each on what the one before it leaves.
  func plan(
    _ message: [UInt8], _ options: WriteOptions, on state: Type2State, meaning: Type2State
  ) throws(ProgramFailure) -> TagProgram {
    let program = try messagePlanner(message, options, on: state, meaning: meaning).plan()
    let parts = try afterMessage(
      state.applying(program), meaning: meaning.applying(program), lock: options.lock)
    let whole = TagProgram(joining: [(.message, program)] + parts)
    try state.requireRights(for: whole)
    return whole
  }

  /// The parts that follow a message: the password, then the locks.
  private func afterMessage(
    _ state: Type2State, meaning: Type2State, lock: Bool
  ) throws(ProgramFailure) -> [(kind: TagProgram.Phase.Kind, program: TagProgram)] {
    var parts: [(kind: TagProgram.Phase.Kind, program: TagProgram)] = []
    if let change = pass.job.passwordChange {
      let protection = try Type2ProtectionPlanner(
        state: state, meaning: meaning, change: change, isThorough: pass.isThorough
      ).plan()
      parts.append((.protection, protection))
    }
    if lock {
      parts.append((.locks, try Type2LockPlanner(state: state, meaning: meaning).plan()))
    }
    return parts
  }

  /// Notes in `program` the pages that an earlier pass has written and that hold something else. Throws where it cannot put
  /// one of them right.
  func noteRepairs(_ surveyor: Type2Surveyor, in program: inout TagProgram) throws(Setback) {
    // A page that holds what it held before has not been written at all: the tag refuses it.
    let firstSeen = surveyor.session.firstSeen
    let repaired = surveyor.wrongPages.filter { page in
      firstSeen[page].map { $0 != surveyor.state.memory[page] } ?? false
    }
    program.repairs = Set(repaired.map(Place.page))
    guard
      let page = surveyor.wrongPages.subtracting(surveyor.state.map.counter.map { [$0] } ?? [])
        .sorted().first(where: { !program.writes(.page($0)) }),
      let found = surveyor.state.memory[page], let meant = surveyor.meaning.memory[page]
    else { return }
    throw .failure(
      ProgramFailure(
        .mismatch, FailureText.mismatch(page, found: found, wanted: meant) + ".",
        tagHolds: "as an earlier try left it.", next: "use another tag."))
  }

  private func lock(
    force: Bool, _ surveyor: Type2Surveyor, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    var surveyor = surveyor
    try surveyor.surveyForLocking()
    try surveyor.surveySent()
    describe(surveyor.state, &report)
    let ndef = surveyor.state.ndef
    // A length beyond the area makes it no NDEF tag for readers; there are TLVs all the same.
    try report.requireMessage(
      force: force, isFormatted: ndef?.scan != nil && ndef?.container.readAccess == .free)
    let (state, meaning) = (surveyor.state, surveyor.meaning)
    var program = try planning { () throws(ProgramFailure) in
      let program = try Type2LockPlanner(state: state, meaning: meaning).plan()
      try state.requireRights(for: program)
      return program
    }
    try noteRepairs(surveyor, in: &program)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    noteAccess(&report, lock: true)
  }

  private func changePassword(
    _ surveyor: Type2Surveyor, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    var surveyor = surveyor
    let (product, map) = (surveyor.state.product, surveyor.state.map)
    _ = try planning { () throws(ProgramFailure) in
      try Type2ProtectionPlanner.configurationPages(of: product, map)
    }
    try surveyor.surveyForProtection()
    describe(surveyor.state, &report)
    let (state, meaning) = (surveyor.state, surveyor.meaning)
    var program = try planning { () throws(ProgramFailure) in
      TagProgram(joining: try afterMessage(state, meaning: meaning, lock: false))
    }
    try noteRepairs(surveyor, in: &program)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    noteAccess(&report, lock: false)
  }

  /// What the job has made of the tag's locks and password, as a reader sees it that has no password.
  private func noteAccess(_ report: inout TagReport, lock: Bool) {
    if lock { report.isLocked = true }
    if let change = pass.job.passwordChange { report.isPasswordProtected = change != .takeAway }
    guard report.status == .readWrite else { return }
    if case .set(let protection) = pass.job.passwordChange {
      report.status = protection.readToo ? .notSupported : .readOnly
    } else if lock {
      report.status = .readOnly
    }
  }

  /// Reads the message, if there is one, and asks what is to be done.
  private func decide(
    _ surveyor: inout Type2Surveyor, _ report: inout TagReport
  ) throws(Setback) -> Job {
    let known = report.findings
    if surveyor.state.memory.capabilityContainer?.isNDEF ?? false {
      try surveyor.surveyForReading()
    }
    let state = surveyor.state
    describe(state, &report)
    // What is read on the way to the job says it all again.
    defer { report.findings = known }
    return try pass.choice.make(
      for: TagFound(
        target: pass.session.tag, product: state.product,
        status: report.status ?? .notSupported, capacity: report.capacity,
        message: report.status == .notSupported ? nil : state.scan.message?.value))
  }

  private func writePages(
    _ job: PageWrite, _ surveyor: Type2Surveyor, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    var surveyor = surveyor
    if try finishShutting(surveyor, &report, hasWritten: &hasWritten) { return }
    let product = surveyor.state.product
    let map = surveyor.state.map
    let pages = try planning { () throws(ProgramFailure) in
      try PageWritePlanner.pages(of: job, map: map, named: product.displayName)
    }
    try surveyor.surveyPages(pages)
    describe(surveyor.state, &report)
    let (state, meaning) = (surveyor.state, surveyor.meaning)
    let counter = map.counter.flatMap { pass.session.sent[.page($0)] == nil ? nil : $0 }
    var program = try planning { () throws(ProgramFailure) in
      var planner = try PageWritePlanner(state: state, meaning: meaning, job: job)
      planner.hasCounted = counter.map { state.memory[$0] == meaning.memory[$0] } ?? false
      let program = try planner.plan()
      try state.requireRights(for: program)
      return program
    }
    try noteRepairs(surveyor, in: &program)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    // What stands in the area now was not read as a message: nothing is claimed of it.
    report.message = nil
    report.messageLength = nil
    report.rawMessage = nil
    if program.changesTag { report.status = nil }
  }

  /// Status, capacity and message as far as they were read.
  func describe(_ state: Type2State, _ report: inout TagReport) {
    guard let ndef = state.ndef else { return }
    report.status = ndef.status
    report.capacity = ndef.capacity
    report.setMessage(ndef.scan?.message)
    report.findings += ndef.faults.map { TagReport.Finding($0.code, "\($0)") }
  }
}

extension Job {
  /// What the job does to a tag's password; nil when it leaves it alone.
  var passwordChange: PasswordChange? {
    switch self {
    case .write(_, let options): options.protection.map(PasswordChange.set)
    case .protect(let protection): .set(protection)
    case .unprotect: .takeAway
    case .info, .read, .formatClassic, .resetClassic, .writePages, .lock, .dump, .restore: nil
    }
  }
}

extension TagReport {
  /// Refuses a tag that would be locked without a message on it that readers understand, unless that is meant.
  func requireMessage(force: Bool, isFormatted: Bool? = nil) throws(Setback) {
    guard isFormatted ?? (status != .notSupported) else {
      throw Self.notLocked("The tag is not formatted for NDEF", next: ".")
    }
    guard !force else { return }
    guard let message else { throw Self.notLocked("The tag holds no message that can be read") }
    for (index, record) in message.records.enumerated() {
      guard case .malformed(let malformed) = record.content else { continue }
      throw Self.notLocked(
        "Record \(index + 1) of the message breaks the rules of its type (\(malformed.error))")
    }
  }

  private static func notLocked(
    _ what: String, next: String = "; --force locks it as it is."
  ) -> Setback {
    .failure(
      ProgramFailure(
        .refused, "\(what), and locked it would stay so for ever.", tagHolds: "unchanged.",
        next: "write a message first, or do both at once: write-url URL --lock\(next)"))
  }

  /// What the message TLV that was found holds.
  mutating func setMessage(_ block: TLVScan.Block?) {
    message = nil
    messageLength = block?.length
    rawMessage = nil
    guard let value = block?.value, !value.isEmpty else { return }
    setMessage(value)
  }

  /// The bytes that the message TLV now holds.
  mutating func setMessage(_ bytes: [UInt8]) {
    messageLength = bytes.count
    rawMessage = bytes
    do throws(NDEFError) {
      message = try Message(parsing: bytes)
    } catch {
      message = nil
      findings.append(Finding("ndef", "The message cannot be read: \(error)"))
    }
  }
}
