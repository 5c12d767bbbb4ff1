import LedgerSQLite
import TagMemory

/// What a journal says of a tag and of what it holds now.
package enum TagAudit: Hashable, Sendable {
  /// It holds the job that the journal says.
  case agrees(WrittenTag)
  /// It holds something else than the journal says.
  case differs(WrittenTag)
  /// A job was begun on it and not finished; `isThere`: it holds the job's message all the same.
  case unfinished(ReservedTag, isThere: Bool)
  /// It is not to be used.
  case scrap(ScrapTag)
  /// The journal does not know the tag, but what it holds: it belongs to this job on another tag.
  case copy(job: Int)
  case unknown
}

extension TagAudit {
  /// The job that the journal has on this tag; nil where it has none.
  package var job: Int? {
    switch self {
    case .agrees(let tag), .differs(let tag): tag.job.number
    case .unfinished(let tag, _): tag.job.number
    case .scrap, .copy, .unknown: nil
    }
  }
}

extension Journal {
  /// Holds the tag with `uid`, and the bytes of the message on it, to the journal.
  package func audit(_ uid: UID, holding message: [UInt8]) throws(JournalError) -> TagAudit {
    let content = digest(of: message)
    switch try history(of: uid) {
    case .written(let tag): return tag.digest == content ? .agrees(tag) : .differs(tag)
    case .reserved(let tag): return .unfinished(tag, isThere: tag.digest == content)
    case .scrap(let tag):
      if !message.isEmpty, let job = try job(holding: content) { return .copy(job: job) }
      return .scrap(tag)
    case nil:
      if !message.isEmpty, let job = try job(holding: content) { return .copy(job: job) }
      return .unknown
    }
  }
}
