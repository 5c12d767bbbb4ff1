import Ledger

/// What the pool knows of a tag.
package struct PoolTag: Hashable, Sendable {
  package enum Standing: Hashable, Sendable {
    /// The tag has this job, or may have it.
    case job(Int, JobStanding)
    /// It is not to be used, since (milliseconds since 1970) and why; the job that
    /// it had until then.
    case scrap(since: Int64, cause: String?, text: String?, job: Int?)
  }

  package let standing: Standing
  /// What the tag of a job that is not finished is to hold, where the pool was told.
  package var draft: [UInt8]?
  /// Is true if the bench that had the job last may be at work on it.
  package var isAlive = false
  /// What happened to the job last.
  package var event: Event?
  package var operatorName = ""
}
