import NDEF
import Readers
import TagMemory

/// One pass over one tag: identify, survey, plan, execute with verification, fill the report.
struct Pass {
  let session: TagSession
  let choice: JobChoice
  /// The job; one that only looks as long as it is not decided.
  var job: Job { choice.job ?? .read }
  let options: RunOptions
  /// An earlier pass failed: take nothing for granted.
  let isThorough: Bool
  let progress: (Progress) -> Void
  let shouldStop: () -> Bool

  /// `hasWritten` says whether any pass has sent a write.
  func run(_ report: inout TagReport, hasWritten: inout Bool) throws(Setback) {
    report.findings = []
    report.details = []
    if let geometry = Geometry(session.tag) {
      let identification = Identification(session.tag)
      report.product = identification.product
      for remark in identification.remarks { report.findings.append(.init("product", remark)) }
      if let product = report.product { progress(.identified(product)) }
      try ClassicPass(pass: self, geometry: geometry).run(&report, hasWritten: &hasWritten)
    } else if session.tag.typeA != nil, !session.tag.speaksISODEP {
      try Type2Pass(pass: self).run(&report, hasWritten: &hasWritten)
    } else {
      try describe(Identification(session.tag), &report)
    }
  }

  /// A tag that is recognised and that none of the jobs here can deal with.
  func describe(_ identification: Identification, _ report: inout TagReport) throws(Setback) {
    report.product = identification.product
    // Nothing of its memory was looked at, so nothing is said of it.
    let reason: String
    switch identification.next {
    case .unknown(let sentence): reason = sentence
    default:
      let name = identification.product?.displayName ?? "tag of unknown type"
      reason = "The tag is of type \(name)."
    }
    let isType4 = identification.product?.memory == .type4
    throw .failure(
      ProgramFailure(
        .refused,
        reason + (isType4 ? " Type 4 tags are not read yet," : " It is not read here,")
          + " so nothing is known of what it holds.",
        tagHolds: "unchanged.", next: "use a MIFARE Classic or a Type 2 tag, such as an NTAG."))
  }

  /// Carries `program` out, unless it is only wanted to be seen. True when the tag holds now what was wanted.
  @discardableResult
  func carryOut(_ program: TagProgram, _ report: inout TagReport, hasWritten: inout Bool)
    throws(Setback) -> Bool
  {
    var program = program
    let isClassic = Geometry(session.tag) != nil
    program.exchanges = program.steps.flatMap { step in
      isClassic
        ? ClassicSteps.commands(of: step)
        : Type2Steps.commands(of: step, readsFast: session.canFastRead)
    }
    report.program = program
    report.skipped = program.unchanged
    progress(.planned(program))
    report.isDryRun = options.dryRun
    guard !options.dryRun else {
      report.result = program.changesTag ? .planned : .unchanged
      return !program.changesTag
    }
    let execution = Execution(
      session: session,
      exchange: { [session] (step) throws(ReaderError) in
        isClassic
          ? try ClassicSteps.perform(step, in: session) : try Type2Steps.perform(step, in: session)
      }, shouldStop: shouldStop,
      progress: { index, step in
        progress(.step(number: index + 1, count: program.steps.count, step))
      })
    do {
      try execution.run(program)
    } catch {
      if program.steps[...error.index].contains(where: \.isWrite) { hasWritten = true }
      report.newMessage = NewMessage(report.newMessage, program, stoppedAt: error)
      throw .execution(error)
    }
    if program.changesTag {
      hasWritten = true
      // What was odd about the memory before has just been written over and read back.
      report.findings.removeAll { !TagReport.Finding.lasting.contains($0.code) }
    }
    report.result = hasWritten ? .written : .unchanged
    report.verified = true
    return true
  }
}

extension Identification {
  /// What the tag was found to be, if it was.
  var product: Product? {
    if case .identified(let product) = next { product } else { nil }
  }
}
