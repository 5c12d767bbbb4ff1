import LedgerPostgreSQL

extension Journal {
  /// Opens the journal at `path`; to look only, `path` may be a pool's address, of which a copy is
  /// made. Throws when it cannot be opened, is no journal or one of a later version.
  public convenience init(at path: String, access: Access) throws(JournalError) {
    guard PoolAddress.isAddress(path) else {
      try self.init(file: path, access: access)
      return
    }
    guard access == .readOnly else {
      // What follows may be a password.
      throw .cannotOpen(
        PoolSeries.shown(path),
        reason: "it is the address of a database, and this takes a journal's file")
    }
    try self.init(copying: PoolSeries.address(path))
  }

  /// A batch of a pool as it is at one moment, to look at.
  package convenience init(copying pool: PoolAddress) throws(JournalError) {
    let copy = try JournalCopy(named: pool.description) { (journal) throws(JournalError) in
      try PoolCopy.fill(journal, from: pool)
    }
    try self.init(looking: copy, name: pool.description)
  }
}
