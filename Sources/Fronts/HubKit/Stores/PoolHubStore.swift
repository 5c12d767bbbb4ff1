import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import TagMemory

/// All batches of a pool.
package final class PoolHubStore: HubStore {
  let viewer: PoolViewer
  package var takesBatches: Bool { true }
  let growing = GrowingLists()

  package init(_ viewer: PoolViewer) { self.viewer = viewer }

  package func batchIDs() throws(HubError) -> [String] {
    try HubError.pooled(viewer.batches()).map(\.name)
  }

  package func batchIDs(withTag uid: UID) throws(HubError) -> [String] {
    try HubError.pooled(viewer.batches(withTag: uid.bytes))
  }

  func known(_ id: String) throws(HubError) -> PoolBatch {
    try HubError.pooled(viewer.batch(id))
  }

  // MARK: Events

  package func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let known = try known(batch)
    return try HubError.pooled(viewer.events(of: known, after: number, limit: limit))
  }

  package func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let known = try known(batch)
    return try HubError.pooled(viewer.events(of: known, upTo: number, limit: limit))
  }

  package func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures {
    let known = try known(batch)
    return try HubError.pooled(viewer.figures(of: known, upTo: number))
  }

  package func lastEvent(of batch: String) throws(HubError) -> Int64 {
    let known = try known(batch)
    return try HubError.pooled(viewer.lastEvent(of: known))
  }

  package func newestNumber() throws(HubError) -> Int64 {
    try HubError.pooled(viewer.newestNumber())
  }

  package func runs(of batch: String, limit: Int) throws(HubError) -> [SeriesRun] {
    let known = try known(batch)
    return try HubError.pooled(viewer.runs(of: known, limit: limit))
  }

  package func now() throws(HubError) -> Int64 {
    try HubError.pooled(viewer.now())
  }

  package func stations(of batch: String) throws(HubError) -> [NamedStation] {
    let known = try known(batch)
    return try HubError.pooled(viewer.stations(of: known, limit: 1000))
  }

  package func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent] {
    try HubError.pooled(viewer.history(ofTag: uid.bytes, limit: limit))
  }

  package func history(
    ofJob number: Int, in batch: String, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let known = try known(batch)
    return try HubError.pooled(viewer.history(ofJob: number, in: known, limit: limit))
  }

  // MARK: Jobs

  package func jobs(
    of batch: String, _ filter: JobFilter, after: Int, limit: Int
  ) throws(HubError) -> [ListedJob] {
    let known = try known(batch)
    return try HubError.pooled(viewer.jobs(of: known, filter, after: after, limit: limit))
  }

  package func jobCount(of batch: String) throws(HubError) -> Int { try known(batch).jobs }

  package func journal(of batch: String) throws(HubError) -> Journal {
    try journal(of: batch) { true }
  }

  package func journal(
    of batch: String, while isWanted: @Sendable () -> Bool
  ) throws(HubError) -> Journal {
    _ = try known(batch)
    do throws(JournalError) {
      return try Journal(copying: viewer.address.naming(batch), while: isWanted)
    } catch {
      throw HubError(error)
    }
  }
}
