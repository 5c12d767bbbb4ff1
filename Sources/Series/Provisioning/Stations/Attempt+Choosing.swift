import Bytes
import JobLists
import LedgerSQLite
import NDEF
import RecordText
import TagMemory
import TagProgramming

extension Attempt {
  /// The job for the tag, reserved in the journal; nil where the tag is to be left alone. `found`:
  /// what was read from it; nil where a password hides it. `isRefused` looks further at a tag that
  /// is to get a job or to finish one, and may leave it. `isReserving`: nothing is reserved
  /// otherwise.
  func choose(
    _ found: TagFound?, _ planner: RowPlanner, isReserving: Bool = true,
    isRefused: () -> Bool = { false }
  ) throws(JournalError) -> Reservation? {
    try judge(found, planner)
    if !isLeft, isRefused() { return nil }
    if !isLeft, let found, let trouble = planner.obstacle(on: found, isFresh: isFresh) {
      leave(trouble)
    }
    if !isLeft, let content = found.flatMap(planner.content) {
      let takenUp = try station.line.state.taking(isNew: isFresh) {
        () throws(JournalError) in
        try session.takeUp(presented, holding: content, keys: givenKeys)
      } isKept: {
        $0 != nil
      }
      if let takenUp {
        stage = .reserved(takenUp, Before())
      } else {
        try checkContent(content, planner)
      }
    }
    if isReserving, case .arrived = stage { try reserve(found, planner) }
    watch.enter("plan")
    return reservation
  }

  private var isLeft: Bool { if case .left = stage { true } else { false } }

  private func leave(_ reason: TagTrouble, job: PlannedJob? = nil) {
    stage = .left(reason, job: job)
  }

  /// Leaves a tag alone that the journal knows, where what it holds says so.
  private func judge(_ found: TagFound?, _ planner: RowPlanner) throws(JournalError) {
    if case .reserved(let reserved) = history,
      try session.unscannable().contains(where: { $0.uid == reserved.uid })
    {
      return leave(.unscanned, job: reserved.job)
    }
    guard !options.rewrite else { return }
    switch history {
    case .written(let written):
      if let obstacle = found?.content.obstacle {
        return leave(Self.unread(written, obstacle.sentence), job: written.job)
      }
      // Locks and a password are no matter of the look that a job begins with.
      let options = planner.opening(station.runOptions, written.job)
      let report = station.programmer(options).run(.info, on: tag)
      guard report.failure == nil else {
        return leave(TagTrouble(report.failure), job: written.job)
      }
      let keys = try planner.proofKeys(
        session.journal.keys(ofJob: written.job.number), of: written.job)
      leave(try reason(written, TagReading(report, tag.uid, keys: keys)), job: written.job)
    case .scrap(let scrap):
      let held = found.flatMap(planner.content).map { [$0] } ?? []
      let owner = try session.journal.owner(of: held, on: tag.uid, scrap)
      leave(owner?.trouble ?? scrap.reason)
    case .reserved, nil: break
    }
  }

  /// What is said of a tag that holds its job, or should, and was read.
  private func reason(
    _ written: WrittenTag, _ reading: TagReading
  ) throws(JournalError) -> TagTrouble {
    Self.reason(written, try session.journal.differences(of: reading, from: written))
  }

  /// What is said of a tag that holds its job, or should, and is not as it was in `differences`.
  static func reason(_ written: WrittenTag, _ differences: [TagDifference]) -> TagTrouble {
    let (job, when) = ("job \(written.job.number), \(written.job.name)", text(written.when))
    guard !differences.isEmpty else {
      return TagTrouble(.written, "This tag holds \(job), since \(when).")
    }
    if differences == [.unread] {
      return unread(written, "not all of its memory is shown without its keys or its password.")
    }
    let clause =
      differences == [.content]
      ? "this tag holds other data: it was written again, or it is another tag with the same UID"
      : TagDifference.clause(differences, since: when)
    return TagTrouble(
      .changed, "The journal has \(job), on a tag with this UID since \(when), but \(clause).")
  }

  /// What is said of a tag that holds its job, or should, and does not show it.
  static func unread(_ written: WrittenTag, _ why: String) -> TagTrouble {
    TagTrouble(
      .unread,
      "The journal has job \(written.job.number), \(written.job.name), on a tag with this UID; this tag's content cannot be read: \(why)"
    )
  }

  /// Leaves a tag without history alone whose content may not be lost.
  private func checkContent(
    _ content: [UInt8], _ planner: RowPlanner
  ) throws(JournalError) {
    var aside: ScrapTag?
    switch history {
    case .reserved, .written: return
    case .scrap(let scrap): aside = scrap
    case nil: break
    }
    // What is left of its own job makes it no copy.
    if let aside, let job = aside.job,
      try session.journal.job(holding: digest(of: content)) == job
    {
      return leave(aside.reason)
    }
    if let trouble = try session.journal.owner(of: [content], on: tag.uid)?.trouble {
      leave(trouble)
    } else if session.journal.pool?.isAway == true {
      // Another bench may have written it.
      leave(
        TagTrouble(
          .database,
          "The tag holds \(planner.source.writesImages ? "data" : "a message"). The database is away: until it answers again, only blank tags get a job."
        ))
    } else if !options.startsOver, let other = try jobNamed(by: content, in: planner.source),
      other.number != aside?.job
    {
      leave(
        TagTrouble(
          .otherJournal,
          "The tag holds the content of job \(other.number), \(other.name), but this journal has that job on no tag: another journal was used with this list."
        ))
      // Going on would put this job on a second tag.
      if session.journal.pool == nil {
        throw .listHasJournal("tag \(tag.uid) holds the content of job \(other.number)")
      }
    } else if !options.overwrite {
      leave(planner.foreign)
    }
  }

  /// The job of the list whose message or memory `content` is, though the journal knows of no tag
  /// that has it.
  private func jobNamed(
    by content: [UInt8], in source: JobSource
  ) throws(JournalError) -> PlannedJob? {
    try jobs(madeAs: content, in: source).first {
      session.journal.pool?.isWaiting($0.number) != false
    }
  }

  private func jobs(
    madeAs content: [UInt8], in source: JobSource
  ) throws(JournalError) -> [PlannedJob] {
    guard !source.writesImages else {
      return try session.journal.jobs(ofMemory: digest(of: content))
    }
    guard let message = try? Message(parsing: content) else { return [] }
    return try session.journal.pendingJobs(making: message) { job in
      // A field for the day may have been filled on any: what stands before it and behind it
      // decides.
      let made = try? job.message.message(
        for: TagFields(uid: tag.uid, number: job.number, made: TagFields.anyDay),
        files: source.files
      ).serialize()
      return made.map { TagFields.isSame($0, content) } ?? false
    }
  }

  /// Makes the message of a row for the tag.
  func maker(_ found: TagFound?, _ planner: RowPlanner) -> (PlannedJob, String) throws(JobRefusal)
    -> [UInt8]
  {
    let known = RowPlanner.Found(uid: tag.uid, product: product, capacity: found?.capacity)
    return { [state = station.line.state] job, day throws(JobRefusal) in
      do throws(JobRefusal) {
        return try planner.message(of: job, for: known, on: day)
      } catch {
        if case .unsuitedTag(let reason) = error { state.note(job, fitsNoTag: reason) }
        throw error
      }
    }
  }

  /// Keeps a job for the tag in the journal, or says why it gets none.
  func reserve(_ found: TagFound?, _ planner: RowPlanner) throws(JournalError) {
    watch.enter("reserve")
    var wanted = isFresh ? ownRow?.number : nil
    if isFresh, ownRow == nil, let picks = series.picks {
      wanted = station.waitForScan(picks)
      guard wanted != nil else {
        return leave(TagTrouble(.noScan, "No code was scanned for this tag."))
      }
    }
    defer {
      // Where it was neither reserved nor refused for good, the next tag gets it.
      if ownRow == nil, wanted != nil, let dropped = series.picks?.giveBack(station.number) {
        station.line.tell(station.number, .codeDropped(TagOutcome.Job(dropped)))
      }
    }
    let today = options.day(started)
    // Whoever has a job gets that one.
    let mayTakeAny =
      !isFresh || options.mixesTypes || ownRow != nil
      || station.line.state.bind(product?.name ?? "")
    binds = isFresh && !options.mixesTypes && ownRow == nil && mayTakeAny
    let made = try station.line.state.taking(isNew: isFresh) { () throws(JournalError) in
      try session.reserve(
        for: presented, rewriting: options.rewrite, wanted: wanted, takesAny: mayTakeAny,
        today: today, keys: givenKeys, make: maker(found, planner))
    } isKept: {
      $0.isReserved
    }
    switch made {
    case .reserved(let reserved):
      series.picks?.finish(station.number)
      if reserved.job.tagType != nil { unbind() }
      // What was begun of a memory may be a part of it.
      let hadNothing = found != nil && (planner.source.writesImages ? isFresh : !isRewriting)
      stage = .reserved(reserved, Before(hadNothing: hadNothing))
    case .nothingLeft where isFresh && ownRow != nil, .nothingFits where isFresh && ownRow != nil:
      leave(ownRow.map(reasonWithout) ?? .notListed)
    case .nothingLeft where wanted != nil, .nothingFits where wanted != nil:
      series.picks?.finish(station.number)
      leave(
        TagTrouble(
          .wrongType,
          mayTakeAny
            ? "The scanned job is not for this type, \(typeName), or was given to another tag."
            : otherType))
    case .nothingLeft where !mayTakeAny && station.line.state.hasJobs,
      .nothingFits where !mayTakeAny && station.line.state.hasJobs:
      leave(TagTrouble(.wrongType, otherType))
    case .nothingLeft:
      foundNoJob = true
      station.line.noteExhausted()
      leave(TagTrouble(.noJob, "No job is left for this tag.\(openTags)"))
    case .nothingFits:
      leave(TagTrouble(.wrongType, "No job is waiting for this type, \(typeName)."))
    case .left(let trouble): leave(trouble)
    case .inUse(let other):
      leave(
        TagTrouble(.inUse, "Another station works on a tag with this UID."), job: other.job)
    case .written(let written):
      // Another station has finished it since this one looked its history up.
      leave(
        try found.map { found throws(JournalError) in
          let keys = try planner.proofKeys(
            session.journal.keys(ofJob: written.job.number), of: written.job)
          return try reason(written, TagReading(found, keys: keys))
        }
          ?? Self.reason(written, []), job: written.job)
    }
  }

  /// Why the tag does not get the row that is for it.
  private func reasonWithout(_ row: PlannedJob) -> TagTrouble {
    let name = "Row \(row.number), \(row.name), is for this tag"
    if let type = row.tagType, type != product?.name {
      let wanted = Product.named(type)?.displayName ?? type
      return TagTrouble(
        .wrongType, "\(name) and for the type \(wanted); this one is of the type \(typeName).")
    }
    guard let standing = try? session.journal.standing(ofJob: row.number), standing.state == .failed
    else {
      return TagTrouble(
        .elsewhere, "\(name), but another bench has it: a tag with this UID lies there.")
    }
    return TagTrouble(.unsuited, "\(name), but no message can be made of it.")
  }

  /// The tags that hold up the end of the line.
  private var openTags: String {
    let tags = station.line.state.waitedFor.map(\.description).sorted()
    guard let first = tags.first else { return "" }
    let names = first + (tags.count > 1 ? " and \(tags.count - 1) more" : "")
    return " The line waits for unfinished tags: \(names). Put them on a reader again."
  }

  /// What is said of a tag of another type than the first one of the run.
  private var otherType: String {
    let bound = station.line.state.boundType ?? ""
    let name = Product.named(bound)?.displayName ?? (bound.isEmpty ? "unknown type" : bound)
    return
      "The first tag of this run was of the type \(name); this one is of the type \(typeName). Use --tag any to mix types."
  }

  private var typeName: String { product?.displayName ?? "unknown" }
}

extension TagTrouble {
  /// A tag whose label is to be scanned, in a run that scans none.
  static let unscanned = TagTrouble(
    .label,
    "The label of this tag was printed and not shown to be its own; its job is done when a run that scans labels has scanned it."
  )

  /// A tag that no row is for, of a list whose rows are for single tags.
  package static let notListed = TagTrouble(
    .notListed, "The list has a row for each tag, and none for this UID; the tag was not read.")
}
