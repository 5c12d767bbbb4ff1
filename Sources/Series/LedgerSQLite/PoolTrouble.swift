extension JournalError {
  /// The trouble says what is wrong with a pool.
  public enum PoolTrouble: Hashable, Sendable {
    /// The address is none.
    case badAddress
    /// The database does not answer, or its client library is missing.
    case away
    /// The user may not do that.
    case notAllowed
    /// The database has no tables of nfcprog's, or those of another version.
    case notPrepared
    /// There is no such batch.
    case noBatch
    /// This machine has put the list's jobs on tags, in a batch that the database does not have.
    case lostBatch
    /// The batch has other jobs than the list, or takes no more.
    case otherJobs
    /// Whatever else.
    case failed
  }
}
