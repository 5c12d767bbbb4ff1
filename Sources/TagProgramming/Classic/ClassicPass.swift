import NDEF
import Readers
import TagMemory

/// One pass over a MIFARE Classic.
struct ClassicPass {
  let pass: Pass
  let geometry: Geometry

  private var jobs: ClassicJobs {
    ClassicJobs(
      session: pass.session, geometry: geometry, credentials: pass.options.credentials,
      isThorough: pass.isThorough)
  }

  func run(_ report: inout TagReport, hasWritten: inout Bool) throws(Setback) {
    switch pass.job {
    case .info:
      let state = try surveying { () throws(ReaderError) in try jobs.surveyAll() }
      ClassicDescription(state: state, activation: pass.session.tag).fill(&report)
      report.result = .read
    case .read:
      try read(&report)
    case .write(let message, let options):
      try write(message, options, &report, hasWritten: &hasWritten)
    case .formatClassic(let format):
      try self.format(format, &report, hasWritten: &hasWritten)
    case .resetClassic:
      let (program, state) = try jobs.reset()
      report.status = .notSupported
      let destroyed = state.destroyedSectors
      report.noteDestroyed(destroyed)
      let isDone = try pass.carryOut(program, &report, hasWritten: &hasWritten)
      guard isDone, !destroyed.isEmpty else { return }
      throw .failure(
        ProgramFailure(
          .refused,
          "\(ClassicWords.list(destroyed)) destroyed: the access bits are invalid, for good.",
          tagHolds: "every other sector is back in the state of delivery.",
          next: "use another tag where all sectors are needed."))
    case .writePages:
      throw .failure(
        ProgramFailure(
          .badInput, "The tag is a \(geometry), which has blocks and no pages.",
          tagHolds: "unchanged.", next: "use write-url or write."))
    }
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

  private func write(
    _ message: Message, _ options: WriteOptions, _ report: inout TagReport,
    hasWritten: inout Bool
  ) throws(Setback) {
    guard var found = try surveying({ () throws(ReaderError) in try jobs.find() }),
      found.isPublic
    else {
      var format = ClassicFormat()
      format.message = message
      format.encoding = options.encoding
      format.overwrite = options.overwrite
      return try self.format(format, &report, hasWritten: &hasWritten)
    }
    if found.status == .readOnly {
      throw .failure(
        ProgramFailure(
          .refused, "The tag is read-only.", tagHolds: "unchanged.", next: "use another tag."))
    }
    let bytes = options.bytes(of: message)
    let program = try jobs.write(bytes, into: &found)
    report.status = .readWrite
    describe(found, &report)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.setMessage(bytes)
  }

  private func format(
    _ format: ClassicFormat, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    report.status = .notSupported
    let (program, area, state) = try jobs.format(format)
    let isFormatted = state.directory().map { !$0.nfcSectors(on: geometry).isEmpty } ?? false
    if isFormatted, let message = format.message {
      // Formatting first, then the message like any other: an old one must be switched off before.
      var bare = format
      bare.message = nil
      bare.encoding = nil
      try self.format(bare, &report, hasWritten: &hasWritten)
      guard !pass.options.dryRun || !program.changesTag else { return }
      var options = WriteOptions()
      options.encoding = format.encoding
      return try write(message, options, &report, hasWritten: &hasWritten)
    }
    report.capacity = area.capacity
    report.noteDestroyed(state.destroyedSectors)
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    report.status = .readWrite
    if let bytes = format.messageBytes {
      report.setMessage(bytes)
    } else if let first = area.blocks.first.flatMap({ state.blocks[$0] }), isFormatted {
      report.setMessage(TLVScan(first, of: area.tlvArea).message)
    } else {
      report.messageLength = 0
    }
  }

  private func describe(_ found: ClassicJobs.Found, _ report: inout TagReport) {
    let leading = found.scan.message == nil ? [] : found.known.prefix(found.scan.messageOffset)
    report.capacity = TLVLayout.capacity(of: found.area.tlvArea, leading: leading)
    report.setMessage(found.scan.message)
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
