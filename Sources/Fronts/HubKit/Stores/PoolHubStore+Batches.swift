import JobLists
import LedgerPostgreSQL
import LedgerSQLite

extension PoolHubStore {
  package func batches() throws(HubError) -> [HubBatch] { try batches(nil) }

  package func batches(limit: Int) throws(HubError) -> [HubBatch] { try batches(limit) }

  private func batches(_ limit: Int?) throws(HubError) -> [HubBatch] {
    try HubError.pooled(viewer.overview(limit: limit)).map {
      var batch = HubBatch($0.batch, $0.tally)
      (batch.benches, batch.lastEvent) = ($0.benches, $0.lastEvent)
      return batch
    }
  }

  package func batch(_ id: String) throws(HubError) -> HubBatch {
    let known = try known(id)
    return HubBatch(
      known, try HubError.pooled(viewer.tally(of: known)))
  }
}

extension HubBatch {
  fileprivate init(_ batch: PoolBatch, _ tally: PoolTally) {
    let settings = (try? StoredJob.pairs(SourceDescription.withoutDialect(batch.settings))) ?? []
    self.init(
      id: batch.name, source: batch.source, settings: settings.map { .init($0.0, $0.1) },
      made: batch.adopted, jobs: tally.jobs, pending: tally.pending, reserved: tally.reserved,
      written: tally.written, failed: tally.failed, scrap: tally.scrap,
      isClosed: tally.closed != nil)
    (claimed, types) = (tally.claimed, tally.types)
  }
}
