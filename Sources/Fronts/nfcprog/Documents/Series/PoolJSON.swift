import JSON

/// A batch of a pool: `journal list`.
struct PoolBatchJSON: OutputDocument {
  var batch: String
  var source: String
  var jobs: Int

  init(_ batch: String, _ source: String, _ jobs: Int) {
    (self.batch, self.source, self.jobs) = (batch, source, jobs)
  }
}

/// A bench of a pool: `journal benches`.
struct PoolBenchJSON: OutputDocument {
  var bench: String
  var atWork: Bool
  var claimed: Int
  var begun: Int
  var finished: Int

  init(_ bench: String, isAtWork: Bool, _ claimed: Int, _ begun: Int, _ finished: Int) {
    (self.bench, atWork) = (bench, isAtWork)
    (self.claimed, self.begun, self.finished) = (claimed, begun, finished)
  }
}
