import NDEF
import Readers
import TagMemory

/// One pass over a Type 2 tag.
struct Type2Pass {
  let pass: Pass

  func run(_ report: inout TagReport, hasWritten: inout Bool) throws(Setback) {
    let session = pass.session
    let head = try surveying { () throws(ReaderError) in
      try session.readPages(.staticLocks, count: 4)
    }
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
    switch pass.job {
    case .info:
      try surveyor.surveyAll()
      Type2Description(state: surveyor.state, activation: session.tag).fill(&report)
      report.result = .read
    case .read:
      try surveyor.surveyForReading()
      describe(surveyor.state, &report)
      report.result = .read
      report.verified = true
    case .write(let message, let options):
      let bytes = options.bytes(of: message)
      try surveyor.surveyForWriting(bytes.count, overwrite: options.overwrite)
      describe(surveyor.state, &report)
      let state = surveyor.state
      let program = try planning { () throws(ProgramFailure) in
        try Type2MessagePlanner(
          state: state, uid: session.tag.uid, message: bytes, overwrite: options.overwrite
        ).plan()
      }
      guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
      report.status = .readWrite
      report.setMessage(bytes)
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

  private func writePages(
    _ job: PageWrite, _ surveyor: Type2Surveyor, _ report: inout TagReport, hasWritten: inout Bool
  ) throws(Setback) {
    var surveyor = surveyor
    let product = surveyor.state.product
    let map = surveyor.state.map
    let pages = try planning { () throws(ProgramFailure) in
      try PageWritePlanner.pages(of: job, map: map, named: product.displayName)
    }
    try surveyor.surveyPages(pages)
    describe(surveyor.state, &report)
    let state = surveyor.state
    let program = try planning { () throws(ProgramFailure) in
      try PageWritePlanner(state: state, job: job).plan()
    }
    guard try pass.carryOut(program, &report, hasWritten: &hasWritten) else { return }
    // What stands in the area now was not read as a message: nothing is claimed of it.
    report.message = nil
    report.messageLength = nil
    report.rawMessage = nil
    if program.changesTag { report.status = nil }
  }

  /// Status, capacity and message as far as they were read.
  private func describe(_ state: Type2State, _ report: inout TagReport) {
    guard let ndef = state.ndef else { return }
    report.status = ndef.status
    report.capacity = ndef.capacity
    report.setMessage(ndef.scan?.message)
    report.findings += ndef.faults.map { TagReport.Finding($0.code, "\($0)") }
  }
}

extension TagReport {
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
