import Ledger

/// What the pool knows of a tag.
package struct PoolTag: Hashable, Sendable {
  package enum Standing: Hashable, Sendable {
    /// The tag has this job, or may have it.
    case job(Int, JobStanding)
    /// It is not to be used, since (milliseconds since 1970) and why.
    case scrap(since: Int64, cause: String?, text: String?)
  }

  package let standing: Standing
  /// What the tag of a job that is not finished is to hold, where the pool was told.
  package var draft: [UInt8]?
  /// Whether the bench that had the job last may be at work on it.
  package var isAlive = false
  /// What happened to the job last.
  package var event: Event?
  package var operatorName = ""
}

/// A finished tag that was laid down anew, or is to be.
package struct PoolInspection: Hashable, Sendable {
  package let id: [UInt8]
  package let job: Int
  package let tag: [UInt8]
  package let reason: String
  /// `good`, `bad`, `void` where it is not wanted any more; nil: it waits.
  package var result: String?
  package var session: [UInt8]?
  package var station: String?
  package var reader: String?
  package var cause: String?
  package var text: String?
  /// Milliseconds since 1970.
  package var inspected: Int64?

  package init(id: [UInt8], job: Int, tag: [UInt8], reason: String) {
    (self.id, self.job, self.tag, self.reason) = (id, job, tag, reason)
  }
}
