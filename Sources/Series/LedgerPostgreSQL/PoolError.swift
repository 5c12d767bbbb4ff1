import Bytes

/// Why a pool cannot be used, or did not take a change.
package enum PoolError: Error, Hashable, Sendable {
  /// libpq is not installed: why.
  case noLibrary(String)
  /// The address cannot be used.
  case badAddress(PoolAddress.Mistake)
  /// The database cannot be reached, or went away: nobody knows whether what was asked was done.
  case away(String)
  /// The server answers, and does not let this program in, or cannot be trusted.
  case turnedAway(ConnectionFault)
  /// The database takes no changes: it is a standby, or its owner has set it so.
  case readOnly
  /// The server has no database of this name.
  case noDatabase(String)
  /// The server has no user of this name.
  case noUser(String)
  /// The user may not do that.
  case notAllowed(String)
  /// The database has no tables of nfcprog's.
  case noSchema
  /// The tables are of another version of nfcprog, or of none.
  case otherVersion(Int)
  /// Another program has made the schema.
  case otherSchema
  /// The database keeps texts in this encoding, and not in UTF-8.
  case otherEncoding(String)
  /// The database has no batch of this name.
  case noBatch(String)
  /// The database had the batch of this name and has it no longer.
  case lostBatch(String)
  /// No bench of this name works on the batch.
  case noBench(String)
  /// The batch has other jobs than the list.
  case otherJobs(String)
  /// The batch lacks so many rows that it has had.
  case rowsMissing(String, Int)
  /// The batch has other rows than it has had.
  case otherRows(String)
  /// The message of a row is on a tag of another batch, or may be, as this job of it.
  case onTag(line: Int, String, batch: String, job: Int)
  /// The batch is closed: it takes no rows.
  case closed(String)
  /// The database has undone what was asked, each time, because others change the same.
  case busy
  /// The tag or the message has a job since.
  case taken
  /// The database has heard of this bench what its journal does not have.
  case copied
  /// The connection is a new one: what was told on the last one may be forgotten.
  case renewed
  /// What the database says, without any value.
  case failed(String)
  /// What the bench's own disk says.
  case bench(String)

  /// By SQLSTATE (PostgreSQL's Appendix A) and the constraint that is broken.
  init(state: String, _ message: String, _ constraint: String = "") {
    var line = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    if line.hasSuffix(".") { line.removeLast() }
    self =
      switch state {
      case "42501":
        .notAllowed("\(line); its owner gives a user rights with `nfcprog journal init`")
      case "28000", "28P01": .notAllowed(line)
      case "42P01", "3F000": .noSchema
      case "25006": .readOnly
      // The last: somebody else has the rows, and keeps them for too long.
      case "40001", "40P01", "55P03": .busy
      // The server ends a connection that rested within a transaction, and a statement that takes
      // longer than its answer is waited for.
      case "", "25P03", "57014": .away(line)
      case "23505" where ["job_of_uid", "job_of_message"].contains(constraint): .taken
      // Each of a bench's own numbers is one event's.
      case "23505" where constraint == "event_of_bench": .copied
      default:
        state.hasPrefix("08") || state.hasPrefix("57P") || state.hasPrefix("53")
          ? .away(line) : .failed("\(line) (\(state))")
      }
  }
}

extension PoolError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noLibrary(let reason):
      "PostgreSQL's client library cannot be loaded (Debian: libpq5): \(reason)."
    case .badAddress(.noAddress):
      "A pool has an address like postgresql://USER@HOST/DATABASE?batch=NAME; this is none."
    case .badAddress(.noBatch): "The address of the pool names no batch: add ?batch=NAME."
    case .badAddress(.twoBatches):
      "The address of the pool names two batches: write batch= once. A & in a name is %26."
    case .badAddress(.badEscape): "The address of the pool has a % without two hexadecimal digits."
    case .badAddress(.badPassword):
      "The address of the pool cannot be read: write / ? : and @ in a password as %2F %3F %3A %40, or use PGPASSFILE."
    case .badAddress(.badCharacter):
      "The address of the pool has a control character (%00 to %1F, %7F) in a name or a password."
    case .badAddress(.unproven(let host)):
      "The address of the pool leads to another machine, \(host), and whoever answers there would get the password. Add sslmode=verify-full, with the CA's certificate in ~/.postgresql/root.crt; another sslmode that stands in the address is taken as it is."
    case .badAddress(.notUnderstood(let reason)):
      "The address of the pool cannot be read: \(reason)."
    case .away(let reason): "The database does not answer: \(reason)."
    case .turnedAway(let fault): "\(fault)"
    case .readOnly:
      "The database is read-only now: it is a standby, or default_transaction_read_only is on."
    case .noDatabase(let name):
      "The server has no database \(name): correct its name in the address, or make it with `createdb \(name)`."
    case .noUser(let name):
      "The server has no user \(name): make it with `createuser --pwprompt \(name)`."
    case .notAllowed(let reason): "The database does not allow this: \(reason)."
    case .noSchema:
      "The database has no tables of nfcprog: make them with `nfcprog journal init`, as the owner of the database."
    case .otherVersion(let version) where version > PoolSchema.version:
      "The tables in the database are of version \(version), and this nfcprog knows version \(PoolSchema.version): update nfcprog on this machine."
    case .otherVersion(let version):
      "The tables in the database are of version \(version), which say too little of what happened, and this nfcprog needs version \(PoolSchema.version): finish the batch with the nfcprog that made them, or make another database and prepare it with `nfcprog journal init`, as its owner."
    case .otherSchema:
      "The database has a schema nfcprog that another program has made: use another database."
    case .otherEncoding(let name):
      "The database keeps texts as \(name), and rows of lists need UTF8: make another one with `createdb --encoding UTF8 --locale C --template template0 NAME`, or take this one away before with `dropdb`."
    case .noBatch(let name):
      "The database has no batch \(name); `nfcprog journal list` shows those it has."
    case .lostBatch(let name):
      "The database no longer has the batch \(name): an older backup may have been restored."
    case .noBench(let name):
      "The batch has no bench \(name); `nfcprog journal benches` lists those it has."
    case .otherJobs(let name): "The batch \(name) has other jobs than this list."
    case .rowsMissing(let name, let count):
      "The batch \(name) in the database lacks \(count == 1 ? "1 row" : "\(count) rows") that this bench has: an older backup was restored. Add the same rows in the same order: at the hub, or with the whole list and --extend at another bench."
    case .otherRows(let name):
      "The batch \(name) in the database has other rows than this bench: an older backup was restored, and other rows were added since. Restore the backup again, and add the same rows in the same order."
    case .onTag(let line, let name, let batch, let job):
      "line \(line), \(name.escapingControls), is on a tag already, as job \(job) of the batch \(batch) in the same database"
    case .closed(let name): "The batch \(name) is closed: it takes no more rows."
    case .busy:
      "The database undid a change several times because other programs change the same jobs. Try again."
    case .taken: "The tag or its message has got a job in the database meanwhile."
    case .copied:
      "The database knows more of this bench than its journal: somebody works with a copy of the journal, perhaps on another machine, or its disk has lost what was written last. Start the command again: then this machine continues as a new bench, with a journal of its own."
    case .renewed: "The connection to the database was made anew."
    case .bench(let sentence): sentence
    case .failed(let reason): "The database failed: \(reason)."
    }
  }
}
