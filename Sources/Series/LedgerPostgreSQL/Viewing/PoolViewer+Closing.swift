extension PoolViewer {
  /// Closes a batch: benches claim no more of its jobs. Once more is no mistake. Notes the request
  /// that asks for it.
  package func close(
    _ batch: PoolBatch, _ request: PoolRequest? = nil
  ) throws(PoolError) {
    try with { (connection) throws(PoolError) in
      try connection.run("BEGIN")
      _ = try connection.query(
        """
        UPDATE nfcprog.batch SET closed_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        WHERE id = $1 AND closed_at IS NULL
        """, [.number(batch.number)])
      try request?.note(of: batch.name, connection)
      try connection.run("COMMIT")
    }
  }
}
