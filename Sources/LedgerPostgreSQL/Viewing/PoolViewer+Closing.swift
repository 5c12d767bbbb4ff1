extension PoolViewer {
  /// Closes a batch: benches claim no more of its jobs. Once more is no mistake.
  package func close(_ batch: PoolBatch) throws(PoolError) {
    _ = try with { (connection) throws(PoolError) in
      try connection.query(
        """
        UPDATE nfcprog.batch SET closed_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        WHERE id = $1 AND closed_at IS NULL
        """, [.number(batch.number)])
    }
  }
}
