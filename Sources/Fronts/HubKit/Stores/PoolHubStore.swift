import Bytes
import Ledger
import LedgerPostgreSQL
import LedgerSQLite
import Synchronization
import TagMemory

/// All batches of a pool.
package final class PoolHubStore: HubStore {
  let viewer: PoolViewer
  package var takesBatches: Bool { true }
  let growing = GrowingLists()

  package init(_ viewer: PoolViewer) { self.viewer = viewer }

  package func batchIDs() throws(HubError) -> [String] {
    try HubError.pooled { () throws(PoolError) in try viewer.batches() }.map(\.name)
  }

  package func batchIDs(withTag uid: UID) throws(HubError) -> [String] {
    try HubError.pooled { () throws(PoolError) in try viewer.batches(withTag: uid.bytes) }
  }

  func known(_ id: String) throws(HubError) -> PoolBatch {
    try HubError.pooled { () throws(PoolError) in try viewer.batch(id) }
  }

  // MARK: Events

  package func events(
    of batch: String, after number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in
      try viewer.events(of: known, after: number, limit: limit)
    }
  }

  package func events(
    of batch: String, upTo number: Int64, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in
      try viewer.events(of: known, upTo: number, limit: limit)
    }
  }

  package func figures(of batch: String, upTo number: Int64) throws(HubError) -> Figures {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in
      try viewer.figures(of: known, upTo: number)
    }
  }

  package func lastEvent(of batch: String) throws(HubError) -> Int64 {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in try viewer.lastEvent(of: known) }
  }

  package func newestNumber() throws(HubError) -> Int64 {
    try HubError.pooled { () throws(PoolError) in try viewer.newestNumber() }
  }

  package func runs(of batch: String, limit: Int) throws(HubError) -> [HubRun] {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in
      try viewer.runs(of: known, limit: limit)
    }.map {
      HubRun(
        bench: $0.bench, operatorName: $0.operatorName, began: $0.begun, ended: $0.ended,
        wasCutOff: $0.wasCutOff, silentSince: $0.silentSince, id: Hex.string($0.id))
    }
  }

  package func now() throws(HubError) -> Int64 {
    try HubError.pooled { () throws(PoolError) in try viewer.now() }
  }

  package func stations(of batch: String) throws(HubError) -> [NamedStation] {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in
      try viewer.stations(of: known, limit: 1000)
    }
  }

  package func history(ofTag uid: UID, limit: Int) throws(HubError) -> [NamedEvent] {
    try HubError.pooled { () throws(PoolError) in
      try viewer.history(ofTag: uid.bytes, limit: limit)
    }
  }

  package func history(
    ofJob number: Int, in batch: String, limit: Int
  ) throws(HubError) -> [NamedEvent] {
    let known = try known(batch)
    return try HubError.pooled { () throws(PoolError) in
      try viewer.history(ofJob: number, in: known, limit: limit)
    }
  }

  // MARK: Jobs

  package func jobs(
    of batch: String, _ filter: HubJobFilter, after: Int, limit: Int
  ) throws(HubError) -> [HubJob] {
    let known = try known(batch)
    var question = PoolJobFilter()
    question.states = filter.state.map(Self.states) ?? []
    (question.name, question.tag) = (filter.name, filter.uid?.bytes)
    (question.number, question.last) = (filter.number, filter.last)
    question.patterns = filter.text?.patterns
    return try HubError.pooled { () throws(PoolError) in
      try viewer.jobs(of: known, question, after: after, limit: limit)
    }.map(HubJob.init)
  }

  package func jobCount(of batch: String) throws(HubError) -> Int { try known(batch).jobs }

  private static func states(_ state: HubJobFilter.State) -> [String] {
    state == .reserved ? ["claimed", "bound", "held"] : [state.rawValue]
  }

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

extension HubJob {
  fileprivate init(_ job: PoolJobState) {
    let state: HubJobFilter.State =
      switch job.state {
      case "pending": .pending
      case "written": .written
      case "failed": .failed
      default: .reserved
      }
    self.init(number: job.number, name: job.name, state: state)
    columns = ((try? StoredJob.pairs(job.columns)) ?? []).map { .init(name: $0.0, value: $0.1) }
    uid = job.tag.map { UID($0) }
    (tagType, uri, event) = (job.tagType, job.uri, job.event)
  }
}
