import NDEF
import TagMemory
import TagProgramming

extension Attempt {
  /// The job for the tag, reserved in the journal; throws where the tag is to be left alone. `found`: what was read from
  /// it; nil where a password hides it.
  func choose(_ found: TagFound?) throws(ProgramFailure) -> Job {
    do throws(JournalError) {
      product = found?.product ?? product
      wasRead = found != nil
      try judge(found)
      if reason == nil, let content = found?.message, !content.isEmpty {
        reservation = try session.takeUp(presented, holding: content)
        if reservation == nil { try checkContent(content) } else { take() }
      }
      watch.enter("reserve")
      if reservation == nil {
        try reserve(found)
        hadNothing = found != nil && !isRewriting
        wasUnformatted = found?.status == .notSupported
      }
      watch.enter("plan")
    } catch {
      journalError = error
      throw ProgramFailure(.internalError, error.description)
    }
    guard let reservation else {
      throw ProgramFailure(.refused, reason?.text ?? "There is no job for this tag.")
    }
    return try job(for: reservation)
  }

  /// Finds out whether a tag that the journal knows is left alone, by what it holds.
  private func judge(_ found: TagFound?) throws(JournalError) {
    guard !options.rewrite else { return }
    switch history {
    case .written(let written):
      knownJob = written.job
      reason = Self.reason(written, holding: found?.message ?? [])
    case .scrap(let scrap):
      reason = Self.reason(scrap)
      if let content = found?.message, !content.isEmpty,
        let other = try session.journal.job(holding: digest(of: content))
      {
        reason = Self.copy(of: other)
      }
    case .reserved, nil: break
    }
  }

  /// What is said of a tag that holds its job, or should, and holds `content`.
  private static func reason(_ written: WrittenTag, holding content: [UInt8]) -> TagTrouble {
    let job = "job \(written.job.number), \(written.job.name)"
    guard digest(of: content) == written.digest else {
      return TagTrouble(
        "changed",
        "The journal has \(job), on a tag with this UID since \(text(written.when)), but this tag holds something else: it was written again, or it is another tag with the same UID."
      )
    }
    return TagTrouble("written", "This tag holds \(job), since \(text(written.when)).")
  }

  static func reason(_ scrap: ScrapTag) -> TagTrouble {
    TagTrouble("scrap", "This tag was set aside on \(text(scrap.when)): \(scrap.trouble.text)")
  }

  private static func copy(of job: Int) -> TagTrouble {
    TagTrouble(
      "copy", "The tag holds the message of job \(job), which is on another tag: it is a copy.")
  }

  /// Finds out whether the message of a tag without history may be lost.
  private func checkContent(_ content: [UInt8]) throws(JournalError) {
    switch history {
    case .reserved, .written: return
    case .scrap, nil: break
    }
    if let other = try session.journal.job(holding: digest(of: content)) {
      reason = Self.copy(of: other)
    } else if !options.startsOver, let other = try jobNamed(by: content) {
      reason = TagTrouble(
        "other-journal",
        "The tag holds the message of job \(other.number), \(other.name), which this journal has on no tag: another journal was used with this list."
      )
      if station.line.wasUntouched {
        throw .listHasJournal("tag \(tag.uid) holds the message of job \(other.number)")
      }
    } else if !options.overwrite {
      reason = TagTrouble(
        "foreign", "The tag holds another message already; --overwrite writes over such.")
    }
  }

  /// The job of the list whose message `content` is, though the journal knows of no tag that has it.
  private func jobNamed(by content: [UInt8]) throws(JournalError) -> PlannedJob? {
    guard let message = try? Message(parsing: content) else { return nil }
    for job in try session.journal.jobs(namedIn: message) {
      // A field for the day may have been filled on any: what stands before it and behind it decides.
      let dates = try? job.message.message(
        for: TagFields(uid: tag.uid, number: job.number, date: TagFields.anyDay),
        files: station.line.source.files
      ).serialize()
      if let dates, TagFields.isSame(dates, content) { return job }
    }
    return nil
  }

  private func reserve(_ found: TagFound?) throws(JournalError) {
    guard reason == nil else { return }
    var wanted: Int?
    if isFresh, let picks = station.line.picks {
      wanted = station.waitForScan(picks)
      guard wanted != nil else {
        reason = TagTrouble("no-scan", "No code was scanned for this tag.")
        return
      }
    }
    let today = options.day(started)
    let made = try session.reserve(
      for: presented, rewriting: options.rewrite, wanted: wanted, today: today
    ) { [self] job, day throws(JobRefusal) in try message(of: job, day, found) }
    switch made {
    case .reserved(let reserved):
      reservation = reserved
      station.line.picks?.clear(station.number)
      take()
    case .nothingLeft where wanted != nil, .nothingFits where wanted != nil:
      station.line.picks?.clear(station.number)
      reason = TagTrouble(
        "wrong-type",
        "The job that was scanned is not for this type, \(product?.displayName ?? "unknown"), or was given to another tag."
      )
    case .nothingLeft:
      foundNoJob = true
      station.line.noteExhausted()
      reason = TagTrouble("no-job", "No job is left for this tag.")
    case .nothingFits:
      reason = TagTrouble(
        "wrong-type", "No job is waiting for this type, \(product?.displayName ?? "unknown").")
    case .unsuited(let sentence): reason = TagTrouble("unsuited", sentence)
    case .inUse(let other):
      knownJob = other.job
      reason = TagTrouble("in-use", "Another station works on a tag with this UID.")
    case .written(let written):
      // Another station has finished it since this one looked its history up.
      knownJob = written.job
      reason = Self.reason(written, holding: found?.message ?? [])
    }
  }

  private func message(
    of job: PlannedJob, _ day: String, _ found: TagFound?
  ) throws(JobRefusal) -> [UInt8] {
    let fields = TagFields(uid: tag.uid, number: job.number, date: day)
    let bytes: [UInt8]
    do {
      bytes = try job.message.message(for: fields, files: station.line.source.files).serialize()
    } catch {
      throw .defective(error.message)
    }
    if let capacity = found?.capacity, bytes.count > capacity {
      throw .unsuitedTag(
        "The message has \(bytes.count) bytes; this \(product?.displayName ?? "tag") takes \(capacity)."
      )
    }
    if job.hasPassword || options.protection != nil, product?.features.contains(.password) == false
    {
      throw .unsuitedTag("A \(product?.displayName ?? "tag") cannot be protected by a password.")
    }
    return bytes
  }

  private func job(for reservation: Reservation) throws(ProgramFailure) -> Job {
    var write = WriteOptions()
    // What a reserved tag holds was begun for this job.
    write.overwrite = options.overwrite
    write.lock = reservation.job.locks
    do {
      if let password = try station.line.source.password(of: reservation.job) {
        write.protection = Protection(password: password)
      } else {
        write.protection = options.protection
      }
      return .write(try Message(parsing: reservation.message), write)
    } catch {
      throw ProgramFailure(.badInput, "\(error)")
    }
  }
}
