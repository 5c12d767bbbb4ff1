#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Up to which event nothing is missing.
///
/// Events have their numbers before they are committed, so that a smaller one may appear after a
/// larger: who has read up to the larger would never see it. Whoever is about to add an event holds
/// a lock on their table from before its number is drawn until it is there for all. So: all numbers
/// up to the greatest that there is now are there as soon as those who hold that lock now have let
/// go of it.
struct PoolHorizon: Hashable, Sendable {
  /// Nothing up to here is missing; nil: nobody has looked yet.
  var number: Int64?
  /// Nothing up to here is missing once `writers` have ended; nil: nobody is waited for.
  var next: Int64?
  var writers: Set<String> = []
}

extension PoolViewer {
  /// The number of the event up to which nothing is missing, in all batches. Statements take some
  /// milliseconds: those that are under way are waited for that long.
  func settled(_ connection: PQConnection) throws(PoolError) -> Int64 {
    // The first look has no earlier one to fall back on, and waits a little longer.
    for _ in 0..<(horizon.withLock { $0.number } == nil ? 50 : 5) {
      let number = try settle(connection)
      if horizon.withLock({ $0.next }) == nil { return number }
      usleep(2000)
    }
    return try settle(connection)
  }

  private func settle(_ connection: PQConnection) throws(PoolError) -> Int64 {
    let known = horizon.withLock { $0 }
    let isOpen = known.next != nil
    let newest =
      isOpen
      ? known.next ?? 0
      : try connection.query("SELECT max(id) FROM nfcprog.event").first?.number(0) ?? 0
    // A database that was restored from a backup begins again with smaller numbers.
    if !isOpen, let number = known.number, newest <= number {
      horizon.withLock { $0 = PoolHorizon(number: newest) }
      return newest
    }
    let atWork = Set(
      try connection.query(
        """
        SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation'
          AND relation = 'nfcprog.event'::regclass AND mode = 'RowExclusiveLock'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
      ).compactMap { $0[0] })
    let waitedFor = isOpen ? known.writers.intersection(atWork) : atWork
    let number =
      if waitedFor.isEmpty {
        newest
      } else if let number = known.number {
        number
      } else {
        min(newest, try earlier(connection))
      }
    return horizon.withLock { horizon in
      // Somebody else may have found out more meanwhile.
      if horizon != known { return horizon.number ?? number }
      horizon =
        waitedFor.isEmpty
        ? PoolHorizon(number: number)
        : PoolHorizon(number: number, next: newest, writers: waitedFor)
      return number
    }
  }

  /// The number of the newest event of a transaction that had begun to write before any of those
  /// did that are at work now: of a hub that has just started while somebody holds the table for
  /// long, 0 would say that nothing has happened yet.
  private func earlier(_ connection: PQConnection) throws(PoolError) -> Int64 {
    try connection.query(
      """
      SELECT id FROM nfcprog.event WHERE age(xmin) > coalesce((
        SELECT max(age(transactionid)) FROM pg_locks
        WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted AND pid IN (
          SELECT pid FROM pg_stat_activity WHERE datname = current_database())), -1)
      ORDER BY id DESC LIMIT 1
      """
    ).first?.number(0) ?? 0
  }
}
