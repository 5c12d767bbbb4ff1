import Readers
import TagMemory

/// A run reads a tag's memory before it overwrites it.
extension TagRun {
  /// Hands the whole memory to whoever keeps it, once. Where the survey that `program` rests on has
  /// not read all of it, the tag is looked at again, with all that has opened it for `job`, and is
  /// left selected for the first step.
  func keepMemory(
    before program: TagProgram, of job: Job, on state: Family.State, _ pass: PassContext
  ) throws(Setback) {
    guard let keep = programmer.keepMemory, !course.isMemoryKept, !programmer.shouldStop() else {
      return
    }
    var description = Family.describe(state, for: .dump)
    // A Type 2 tag is asked for more than its pages; one that proves itself counts the keys that it
    // is given, and its message was read.
    let isWhole =
      description.dump.map {
        job.isAboutProofs || $0.image.isMIFAREClassic && $0.unreadRows.isEmpty
      } ?? false
    if !isWhole { description = try lookAtAll(for: job, pass) }
    course.isMemoryKept = true
    let rows = program.steps.compactMap(\.written?.place.row)
    let lost = Set(rows).intersection(description.dump?.unreadRows ?? rows)
    keep(
      KeptMemory(
        target: session.tag, dump: description.dump, lost: lost.sorted(),
        findings: description.findings))
  }

  private func lookAtAll(for job: Job, _ pass: PassContext) throws(Setback) -> TagDescription {
    var options = pass.options
    options.credentials.keys += job.heldKeys
    options.credentials.password = session.provenSecret ?? options.credentials.password
    let look = PassContext(options: options, number: pass.number)
    try surveying { () throws(ReaderError) in try session.selectAgain() }
    let state = try Family.survey(session, for: .dump, knowing: nil, look)
    try surveying { () throws(ReaderError) in try session.selectAgain() }
    return Family.describe(state, for: .dump)
  }
}

extension Job {
  /// The keys that the job's own input has, of sectors of a MIFARE Classic.
  fileprivate var heldKeys: [Key] {
    guard case .restore(let restore) = self, case .classic(let geometry) = restore.image.layout
    else { return [] }
    return restore.image.trailers(of: geometry).values.flatMap { [$0.keyA, $0.keyB] }
  }
}

extension Place {
  /// The row of a dump; nil for what is no page and no block with data.
  fileprivate var row: Int? {
    switch self {
    case .page(let page): Int(page.number)
    case .block(let block) where !block.isTrailer: Int(block.index)
    default: nil
    }
  }
}
