import Ledger

extension PoolStore {
  /// Returns whether the tag lost its job to another one because the database was restored, has had
  /// none since, and is not set aside.
  package func hasLostJob(_ tag: [UInt8]) throws(PoolError) -> Bool {
    try looking { (connection) throws(PoolError) in
      try connection.query(
        """
        SELECT kind = 'returned' AND cause = 'restored' AND NOT EXISTS (
          SELECT 1 FROM nfcprog.event AS aside WHERE aside.batch = event.batch
            AND aside.uid = event.uid AND aside.sets_aside)
        FROM nfcprog.event WHERE batch = $1 AND uid = $2 AND kind <> 'passed'
        ORDER BY id DESC LIMIT 1
        """, [.number(batch), .bytes(tag)]
      ).first?.flag(0) ?? false
    }
  }
}
