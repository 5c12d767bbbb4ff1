import Readers
import TagMemory

/// What a run finds out only when the tag refuses a write: a dry run asks the tag before.
extension Type2Family {
  /// What comes of a run that carries `plan` out. Throws what the run ends with, where the tag
  /// refuses a page and looking at all of it shows why.
  static func foresee(
    _ plan: JobPlan, of job: Job, on survey: Type2Survey, _ session: Type2Session,
    _ pass: PassContext
  ) throws(Setback) -> JobPlan {
    guard case .write(let message, let options) = job, let program = plan.program,
      !pass.isThorough, try survey.surveyor.tagRefuses(program)
    else { return plan.sayingUnknown(of: survey.state) }
    var surveyor = survey.surveyor
    surveyor.isThorough = true
    let bytes = options.bytes(of: message)
    try surveyor.surveyForWriting(
      bytes.count, overwrite: options.overwrite, lock: options.lock,
      mirror: options.mustReadAsWritten || options.mirror != nil)
    let again = try planning { () throws(JobFailure) in
      try Type2JobPlanner(survey: Type2Survey(surveyor), job: job, isThorough: false)
        .write(bytes, options)
    }
    guard let rest = again.program, try surveyor.tagRefuses(rest) else {
      return again.sayingUnknown(of: survey.state)
    }
    throw .failure(JobFailure(.type2(.pagesRefused), remedy: .readTagInfo))
  }
}

extension JobPlan {
  /// Returns this plan; it adds that a dry run does not know whether the chip asks for a password,
  /// or which pages are locked, where nobody can read that.
  fileprivate func sayingUnknown(of state: Type2State) -> JobPlan {
    guard let program, program.changesTag else { return self }
    var plan = self
    if state.map.mayHidePassword {
      plan.before.findings.append(
        TagDescription.Finding(
          "password-not-known",
          "Whether this chip asks for a password is not known here: only a write finds out. A run begins with one that changes nothing."
        ))
    }
    if program.writtenPages.contains(where: {
      state.map.user.contains($0) && state.hidesLock(of: $0)
    }
    ) {
      plan.before.findings.append(
        TagDescription.Finding(
          "locks-not-known",
          "Which pages from 16 on are locked is not known of this chip: only a write finds out. A run begins with writes that change nothing."
        ))
    }
    return plan
  }
}

extension Type2Surveyor {
  /// Returns whether the tag refuses a write of the message in `program`: the page is locked, or
  /// needs a password that was not given. A tag that hides its configuration hides every page that
  /// it protects.
  fileprivate func tagRefuses(_ program: TagProgram) throws(Setback) -> Bool {
    // What follows the message was looked at before it was planned.
    let message = program.phases.first { $0.kind == .message }?.steps ?? 0..<0
    var part = TagProgram()
    part.steps = Array(program.steps[message])
    let pages = part.writtenPages
    guard let last = pages.max() else { return false }
    var seen = state
    for page in state.map.settings where seen.memory[page] == nil {
      guard let bytes = try shown(page, count: state.map.count(from: page)) else { continue }
      seen.memory.store(bytes, from: page)
    }
    if pages.contains(where: { seen.memory.isLocked($0) == true }) { return true }
    guard !state.isAuthenticated else { return false }
    if seen.memory.knowsProtection {
      return seen.memory.protection?.isWriteProtected(last) ?? false
    }
    return try shown(last, count: 1) == nil
  }
}
