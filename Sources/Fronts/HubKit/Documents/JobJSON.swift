import Bytes
import JSON
import Ledger
import LedgerSQLite

/// Jobs of a batch, or found by a search: `GET /v1/batches/{id}/jobs`.
package struct JobListJSON: OutputDocument {
  package var jobs: [JobJSON]
  /// Where to go on; absent: these are the last.
  package var next: Int?
  /// Of a search: false where it has not looked at everything, or found more than it gives.
  package var complete: Bool?

  /// `limit`: how many were asked for.
  package init(_ jobs: [ListedJob], of batch: String, limit: Int) {
    self.jobs = jobs.map { JobJSON($0, of: batch) }
    next = jobs.count >= limit ? jobs.last?.number : nil
  }

  /// What a search has found, in several batches.
  package init(found jobs: [JobJSON], isComplete: Bool) {
    (self.jobs, complete) = (jobs, isComplete)
  }
}

/// A job and where it stands.
package struct JobJSON: OutputDocument {
  package var number: Int
  package var name: String
  /// `pending`, `reserved`, `written` or `failed`.
  package var state: String
  package var uid: String?
  package var tag: String?
  package var uri: String?
  /// By name.
  package var columns: [String: String]?
  /// What brought it there.
  package var event: EventJSON?
  /// The batch's id: of a single job, and of one that a search has found.
  package var batch: String?
  /// All that happened to it: of a single job.
  package var events: [EventJSON]?

  /// A job of a list, which has its batch in its address.
  package init(_ job: ListedJob, of batch: String) {
    (number, name, state) = (job.number, job.name, job.state.rawValue)
    (uid, tag, uri) = (job.tag.map { Hex.string($0) }, job.tagType, job.uri)
    let columns = (try? StoredJob.pairs(job.columns)) ?? []
    if !columns.isEmpty { self.columns = Dictionary(columns) { first, _ in first } }
    event = job.event.map {
      var event = NamedEvent($0, batch: batch, bench: "", jobName: job.name)
      event.event.tagType = job.tagType
      return EventJSON(event)
    }
  }

  /// A job by itself: with its batch, and all that happened to it. Nil: a search has found it.
  package init(_ job: ListedJob, in batch: String, events: [NamedEvent]? = nil) {
    self.init(job, of: batch)
    self.batch = batch
    self.events = events.map { $0.map { EventJSON($0) } }
  }
}
