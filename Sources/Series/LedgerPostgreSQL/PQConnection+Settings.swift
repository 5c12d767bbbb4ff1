/// What a connection asks of its server.
extension PQConnection {
  /// Settings of this program's own, whatever the server, the database or the user has: names mean
  /// PostgreSQL's functions and operators and no others, bytes come as `bytes` reads them, and what
  /// was said is on the disk. A server that does more for that than `on` may do so; `local` only
  /// leaves a standby out. A database that is read-only stays so: somebody wants that.
  ///
  /// Nothing is kept for a program whose network is gone without a word: its transaction would keep
  /// others out of the same jobs for hours.
  func prepareSession() throws(PoolError) {
    try run(
      """
      SET search_path = pg_catalog, pg_temp;
      SET bytea_output = hex; SET standard_conforming_strings = on;
      SET default_transaction_isolation = 'read committed'; SET lock_timeout = 0;
      SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
      SET tcp_user_timeout = 6000;
      SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off'
      """)
    // PostgreSQL 13 does not have it, and not every system can do it.
    try? run(
      """
      SELECT set_config('client_connection_check_interval', '5s', false)
      WHERE current_setting('client_connection_check_interval', true) IS NOT NULL
      """)
    try bePatient(false)
  }

  /// Sets whether a statement may take as long as it takes from now on, and the connection may
  /// rest within a transaction; else the server ends both about when its answer is not waited for
  /// any more.
  func bePatient(_ isPatient: Bool) throws(PoolError) {
    let limit = isPatient ? 0 : Int(patience / .milliseconds(1))
    try run(
      """
      SET statement_timeout = \(limit * 9 / 10);
      SET idle_in_transaction_session_timeout = \(limit * 3 / 2)
      """)
    self.isPatient = isPatient
  }
}
