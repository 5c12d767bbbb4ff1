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
      ClassicDescription(state: state, activation: pass.session.tag).fill(&report)
      report.result = .read
    case .read:
      try read(&report)
    case .write(let message, let options):
      try write(message, options, into: found, &report, hasWritten: &hasWritten)
    case .formatClassic(let format):
      try self.format(format, &report, hasWritten: &hasWritten)
    case .resetClassic:
      let (program, state) = try jobs.reset()
      report.status = .notSupported
      let destroyed = state.destroyedSectors
      report.noteDestroyed(destroyed, isMarked: false)
      let isDone = try pass.carryOut(program, &report, hasWritten: &hasWritten)
      guard isDone, !destroyed.isEmpty else { return }
      throw .failure(
        ProgramFailure(
          .refused,
          "\(ClassicWords.list(destroyed)) destroyed: the access bits are invalid, for good.",
          tagHolds: "every other sector is back in the state of delivery.",
          next: "use another tag where all sectors are needed."))
    case .lock(let force):
      try lock(force: force, &report, hasWritten: &hasWritten)
    case .dump:
      let state = try surveying { () throws(ReaderError) in try jobs.surveyAll() }
      ClassicDescription(state: state, activation: pass.session.tag).fill(&report)
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
    if let found { describe(found, &report) }
    return try pass.choice.make(
      for: TagFound(
        activation: pass.session.tag, product: report.product,
        status: report.status ?? .notSupported, capacity: report.capacity,
        message: found?.scan.message?.value))
  }

  private func read(_ report: inout TagReport) throws(Setback) {
    guard var found = try surveying({ () throws(ReaderError) in try jobs.find() }) else {
      report.status = .notSupported
      report.result = .read
      report.verified = true
      return
    }
    do throws(ReaderError) {
      if let end = found.scan.message?.endOffset { _ = try found.read(end) }
      if let first = found.area.sectors.first { try found.surveyor.readTrailer(of: first) }
    } catch {
      throw .reader(error)
    }
    report.status = found.status
    describe(found, &report)
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
    // Locking looks at the trailers too.
    var found = options.lock ? nil : known
    if found == nil {
      found = try surveying { () throws(ReaderError) in
        try jobs.find(withTrailers: options.lock)
      }
    }
    let bytes = options.bytes(of: message)
    if let known = found, known.isPublic {
      found = try surveying { () throws(ReaderError) in
        try jobs.look(at: known, toWrite: bytes.count)
      }
    }
    guard let found, found.isPublic else {
      var format = ClassicFormat()
      format.message = message
      format.encoding = options.encoding
      format.overwrite = options.overwrite
      format.lock = options.lock
      return try self.format(format, &report, hasWritten: &hasWritten)
    }
    report.status = found.status
    describe(found, &report)
    let program = try planning { () throws(ProgramFailure) in
      try jobs.write(bytes, into: found, lock: options.lock)
    }
    guard found.status == .readWrite || !program.changesMessage else {
      throw .failure(
        ProgramFailure(
          .refused, "The tag is read-only.", tagHolds: "unchanged.", next: "use another tag."))
    }
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.setMessage(bytes)
    if options.lock { report.noteLocked() }
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
      describe(found, &report)
    }
    let destroyed = found?.surveyor.state.destroyedSectors ?? []
    guard destroyed.isEmpty else {
      if let found { report.noteDestroyed(of: found.surveyor.state) }
      throw .failure(
        ProgramFailure(
          .refused,
          "\(ClassicWords.list(destroyed)) destroyed: the access bits are invalid, for good.",
          tagHolds: "unchanged.",
          next: "write the message again, which lays it around the loss: write-url URL --lock."))
    }
    try report.requireMessage(force: force)
    guard let found else { return }
    let (state, sectors) = (found.surveyor.state, found.area.sectors)
    let program = try planning { () throws(ProgramFailure) in
      try ClassicLockPlanner(state: state, sectors: sectors).plan()
    }
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.noteLocked()
  }

  private func format(
    _ format: ClassicFormat, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    report.status = .notSupported
    let (state, isSurveyed) = try surveying { () throws(ReaderError) in
      try jobs.survey(for: format)
    }
    let isFormatted = state.directory().map { !$0.nfcSectors(on: geometry).isEmpty } ?? false
    report.noteDestroyed(state.destroyedSectors, isMarked: true)
    if isFormatted, let message = format.message {
      // Formatting first, then the message like any other: an old one must be switched off before.
      var bare = format
      bare.message = nil
      bare.encoding = nil
      bare.lock = false
      bare.replacesMessage = true
      try planning { () throws(ProgramFailure) in
        let (_, area) = try jobs.format(bare, state, isSurveyed: isSurveyed)
        _ = try ClassicLayout.bytes(
          of: format.messageBytes ?? [], in: area, geometry: geometry)
      }
      report.findings = []
      try self.format(bare, &report, hasWritten: &hasWritten)
      guard !pass.options.dryRun || report.result == .unchanged else { return }
      var options = WriteOptions()
      options.encoding = format.encoding
      options.lock = format.lock
      return try write(message, options, &report, hasWritten: &hasWritten)
    }
    let (program, area) = try planning { () throws(ProgramFailure) in
      try jobs.format(format, state, isSurveyed: isSurveyed)
    }
    report.capacity = area.capacity
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.status = .readWrite
    if format.lock { report.noteLocked() }
    if let bytes = format.messageBytes {
      report.setMessage(bytes)
    } else {
      report.setMessage(state.applying(program).scan(of: area).message)
    }
  }

  private func describe(_ found: ClassicJobs.Found, _ report: inout TagReport) {
    let leading =
      found.scan.message == nil
      ? [] : found.surveyor.state.known(of: found.area).prefix(found.scan.messageOffset)
    let reachable = NDEFArea(
      found.area.sectors.prefix { found.surveyor.state.sectors[$0]?.isDestroyed != true })
    report.capacity = TLVLayout.capacity(of: reachable.tlvArea, leading: leading)
    report.setMessage(found.scan.message)
  }
}

extension TagReport {
  /// Every NFC sector is read-only now.
  fileprivate mutating func noteLocked() {
    isLocked = true
    status = .readOnly
  }
}

extension TagProgram {
  /// Whether it writes anything but locks.
  fileprivate var changesMessage: Bool {
    steps.contains { $0.isWrite && $0.purpose != .lock }
  }
}

extension ClassicJobs.Found {
  /// What the first NFC sector's trailer says, where it was read: NXP's readers go by it.
  var status: NDEFStatus {
    guard let first = area.sectors.first, let trailer = surveyor.state.sectors[first]?.trailer
    else { return .readWrite }
    let isWritable =
      trailer.generalPurposeByte.isWriteFree
      && KeyType.allCases.contains { trailer.conditions.allows(.write, .first, with: $0) }
    return isWritable ? .readWrite : .readOnly
  }
}
