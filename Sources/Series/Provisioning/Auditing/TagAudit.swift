import Ledger
import LedgerSQLite
import TagMemory

/// What a journal says of a tag and of what it holds now.
package enum TagAudit: Hashable, Sendable {
  /// The tag is as the journal says.
  case agrees(WrittenTag)
  /// The tag is not as the journal says.
  case differs(WrittenTag, [TagDifference])
  /// A job was begun on it and not finished; `isThere`: it holds the job's message all the same.
  case unfinished(ReservedTag, isThere: Bool)
  /// It is not to be used.
  case scrap(ScrapTag)
  /// The journal does not know the tag, but what it holds: it belongs to this job on another tag.
  case copy(job: Int)
  /// The tag holds the message of this job, whose tag proves itself, and shows a random UID: only
  /// keys tell whether it is that tag.
  case randomUID(job: Int)
  case unknown
}

extension TagAudit {
  /// The job that the journal has on this tag; nil where it has none.
  package var job: Int? {
    switch self {
    case .agrees(let tag), .differs(let tag, _): tag.job.number
    case .unfinished(let tag, _): tag.job.number
    case .scrap, .copy, .randomUID, .unknown: nil
    }
  }

  /// Is true of a tag from the field that holds again what it held before its change.
  package var isPutBack: Bool { if case .agrees(let tag) = self { tag.isPutBack } else { false } }

  /// Is true if the journal has a job on this tag that is a whole memory.
  package var isOfMemory: Bool {
    switch self {
    case .agrees(let tag), .differs(let tag, _): tag.job.message.isImage
    case .unfinished(let tag, _): tag.job.message.isImage
    case .scrap, .copy, .randomUID, .unknown: false
    }
  }

  /// Why the tag is not one of the series as it was written; nil where it is.
  package var trouble: TagTrouble? {
    switch self {
    case .agrees: nil
    case .differs(let written, let differences): Attempt.reason(written, differences)
    case .unfinished(let reserved, _):
      TagTrouble(
        .interrupted,
        "Job \(reserved.job.number), \(reserved.job.name), was started on it and not finished.")
    case .scrap(let scrap): scrap.reason
    case .copy(let job): .copy(of: job)
    case .randomUID(let job):
      TagTrouble(
        .randomUID,
        "The tag has a random UID and holds the message of job \(job): only the keys of the series can tell if it is that job's tag."
      )
    case .unknown: TagTrouble(.unknown, "The journal lists neither this tag nor its message.")
    }
  }
}

extension Journal {
  /// Compares a tag that was read with this journal: the one place where that is done.
  package func audit(_ reading: TagReading) throws(JournalError) -> TagAudit {
    switch try history(of: reading.uid) {
    case .written(let tag):
      let differences = try differences(of: reading, from: tag)
      return differences.isEmpty ? .agrees(tag) : .differs(tag, differences)
    case .reserved(let tag):
      return .unfinished(
        tag, isThere: reading.content(inPlaceOf: tag.job).map { digest(of: $0) } == tag.digest)
    case .scrap(let tag):
      return try owner(of: reading.contents, on: reading.uid, tag) ?? .scrap(tag)
    case nil: return try owner(of: reading.contents, on: reading.uid) ?? .unknown
    }
  }

  /// Returns in what a tag that holds its job, or should, is not as this journal says.
  package func differences(
    of reading: TagReading, from written: WrittenTag
  ) throws(JournalError) -> [TagDifference] {
    reading.differences(
      from: written, hasProofs: try keys(ofJob: written.job.number) != nil,
      given: try source()?.description.given ?? [])
  }

  /// Says which job's message or memory a tag holds that has no job; nil where it is none.
  /// `contents`: what it holds, each by which a job may be known. A tag that was set aside with its
  /// job, as by an operator's release, is no copy of the tag that has the job now.
  package func owner(
    of contents: [[UInt8]], on uid: UID, _ scrap: ScrapTag? = nil
  ) throws(JournalError) -> TagAudit? {
    for content in contents {
      guard let job = try job(holding: digest(of: content)), job != scrap?.job else { continue }
      if uid.isRandom, try keys(ofJob: job) != nil { return .randomUID(job: job) }
      return .copy(job: job)
    }
    return nil
  }
}

extension TagTrouble {
  /// A tag that holds what is of a job on another one.
  package static func copy(of job: Int) -> TagTrouble {
    TagTrouble(
      .copy, "The tag holds the content of job \(job), which is on another tag: it is a copy.")
  }
}

extension ScrapTag {
  /// Why the tag is left alone.
  package var reason: TagTrouble {
    TagTrouble(.scrap, "This tag was set aside on \(Attempt.text(when)): \(why)")
  }

  /// Why the tag was set aside, and which job it may hold though another tag may have it.
  package var why: String {
    guard trouble.known == .released, let job else { return trouble.text }
    return "\(trouble.text) It may hold job \(job), which may be on another tag."
  }
}
