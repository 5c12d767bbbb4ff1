/// A batch of a pool: `journal list`.
package struct PoolBatchJSON: WireDocument {
  package var batch: String
  package var source: String
  package var jobs: Int

  package init(_ batch: String, _ source: String, _ jobs: Int) {
    (self.batch, self.source, self.jobs) = (batch, source, jobs)
  }
}

/// A bench of a pool: `journal benches`.
package struct PoolBenchJSON: WireDocument {
  package var bench: String
  package var atWork: Bool
  package var claimed: Int
  package var begun: Int
  package var finished: Int

  package init(_ bench: String, isAtWork: Bool, _ claimed: Int, _ begun: Int, _ finished: Int) {
    (self.bench, atWork) = (bench, isAtWork)
    (self.claimed, self.begun, self.finished) = (claimed, begun, finished)
  }
}
