import LedgerPostgreSQL
import LedgerSQLite

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

  /// The journal's file at `path`, to look only; nil where there is none that can be read. Throws
  /// where it is of another version: nobody knows then which jobs it has on tags.
  static func found(at path: String) throws(JournalError) -> Journal? {
    do throws(JournalError) {
      return try Journal(file: path, access: .readOnly)
    } catch {
      guard !error.isOfOtherVersion else { throw error }
      return nil
    }
  }

  /// A batch of a pool as it is at one moment, to look at. Throws, and leaves nothing, where
  /// `isWanted` is false before it is made.
  package convenience init(
    copying pool: PoolAddress, while isWanted: () -> Bool = { true }
  ) throws(JournalError) {
    let copy = try JournalCopy(named: pool.description) { (journal) throws(JournalError) in
      try PoolCopy.fill(journal, from: pool, while: isWanted)
    }
    try self.init(looking: copy, name: pool.description)
  }
}

extension JournalError {
  /// Is true if the journal was made by another version of this program, which can read it.
  var isOfOtherVersion: Bool {
    switch self {
    case .earlierVersion, .laterVersion: true
    default: false
    }
  }
}

extension PoolSeries {
  /// Has `tell` called with what is to be said of addresses of pools, each once, by any thread.
  package static func takeWarnings(_ tell: @escaping @Sendable (String) -> Void) {
    PoolWarnings.take(tell)
  }
}
