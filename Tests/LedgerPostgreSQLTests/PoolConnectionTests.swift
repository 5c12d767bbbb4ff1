import Foundation
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite(
  "A pool's connection", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolConnectionTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  private func asOwner(_ sql: String) throws { try PQConnection(pool.socket()).run(sql) }

  /// In a database whose schema `public` anybody may write to, as before PostgreSQL 15.
  @Test("runs nothing of what a bench put into the schema public, as the owner")
  func planted() throws {
    try asOwner(
      "GRANT CREATE ON SCHEMA public TO bench; GRANT SELECT ON nfcprog.batch TO bench")
    try PQConnection(address).run(
      """
      CREATE TABLE public.loot (who text);
      GRANT INSERT ON public.loot TO PUBLIC;
      CREATE FUNCTION public.format(text, name) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.loot VALUES (current_user);
        RETURN pg_catalog.format($1, $2); END $$;
      CREATE FUNCTION public.times(numeric, integer) RETURNS numeric LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.loot VALUES (current_user);
        RETURN $1 * $2::numeric; END $$;
      CREATE OPERATOR public.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = public.times);
      """)
    let owner = try pool.socket()
    try PoolStore.prepare(owner, benches: ["bench"])
    try PoolStore.load(1, at: owner)
    let viewer = try PoolViewer(owner)
    try viewer.close(try #require(try PoolStore.batch(at: owner)))
    #expect(try PQConnection(owner).query("SELECT who FROM public.loot") == [])
  }

  @Test("keeps the order of a job's states against operators of a bench's own")
  func operators() throws {
    try asOwner("GRANT CREATE ON SCHEMA public TO bench")
    try PoolStore.load(1, at: address)
    let bench = try PQConnection(address)
    try bench.run(
      """
      CREATE FUNCTION public.never(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false';
      CREATE FUNCTION public.never(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT false';
      CREATE OPERATOR public.<> (LEFTARG = text, RIGHTARG = text, FUNCTION = public.never);
      CREATE OPERATOR public.< (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = public.never);
      SET search_path = public, pg_catalog
      """)
    for impossible in [
      "UPDATE nfcprog.job SET state = 'failed'",
      "UPDATE nfcprog.job SET epoch = -1",
    ] {
      #expect(throws: PoolError.self, "\(impossible)") { try bench.run(impossible) }
    }
  }

  @Test(
    "works whatever the database has set",
    arguments: [
      "bytea_output = escape", "default_transaction_isolation = serializable",
      "standard_conforming_strings = off", "lock_timeout = 1", "search_path = nowhere",
    ])
  func settings(_ setting: String) throws {
    try asOwner("ALTER DATABASE \(database) SET \(setting)")
    try PoolStore.prepare(pool.socket(), benches: ["bench"])
    let (first, second) = (SampleBench(text), SampleBench(text))
    let (run, other) = (try first.begin(jobs: 40), try second.begin(jobs: 40))
    let failures = Mutex<[String]>([])
    // Two benches at the same rows at the same moment.
    together(2) { index in
      for number in UInt8(1)...8 {
        let bench = index == 0 ? run : other
        let uid: [UInt8] = [0x04, UInt8(index), 0, 0, 0, 0, number]
        do {
          var outcome: ReservationOutcome?
          guard let reservation = try bench.reserve(uid, outcome: &outcome) else {
            failures.withLock { $0.append("\(outcome, default: "nothing")") }
            continue
          }
          try bench.finish(reservation)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    for bench in [run, other] { try bench.session.end() }
    #expect(failures.withLock { $0 } == [])
    #expect(try PoolStore(address, bench: "looker").tally() == ["written": 16, "pending": 24])
    #expect(first.news.withLock { $0.isEmpty } && second.news.withLock { $0.isEmpty })
  }

  @Test("has what it was told on the disk, leaves stronger settings alone, and waits by itself")
  func durability() throws {
    for (name, set, wanted) in [
      ("synchronous_commit", "off", "on"), ("synchronous_commit", "local", "local"),
      ("synchronous_commit", "on", "on"), ("synchronous_commit", "remote_apply", "remote_apply"),
      ("statement_timeout", "'5s'", "9s"), ("lock_timeout", "'5s'", "0"),
      ("idle_in_transaction_session_timeout", "0", "15s"), ("tcp_user_timeout", "0", "6000"),
      ("tcp_keepalives_idle", "0", "5"),
    ] {
      try asOwner("ALTER DATABASE \(database) SET \(name) = \(set)")
      let shown = try PoolStore.connect(address).query("SHOW \(name)")
      #expect(shown.first?[0] == wanted, "\(name) = \(set)")
    }
  }

  @Test("is given up once the server has ended it")
  func ended() throws {
    let connection = try PQConnection(address)
    do {
      try connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
      Issue.record("it goes on")
    } catch {
      guard case .away = error else { throw error }
    }
    #expect(!connection.isOpen)
  }

  @Test("says why there is none within a sentence")
  func reasons() {
    let text = "connection to server at \"h\" failed: The limit is reached.\n\tIs it there?\n"
    #expect(
      PQConnection.failure(text, address)
        == .away("connection to server at \"h\" failed: The limit is reached"))
    #expect("\(PoolError(state: "", "It is gone.\nWhy?"))".hasSuffix("answer: It is gone."))
  }

  @Test("says who may close a batch")
  func closing() throws {
    try PoolStore.load(1, at: address)
    let error = JournalError.pool(
      .notAllowed,
      "The database does not allow this: only the owner of the tables and a hub's user may close a batch."
    )
    #expect(throws: error) { try PoolOperator.close(text) }
    try PoolOperator.close(
      "postgresql:///\(database)?host=\(server.folder)&port=\(server.port)&user=owner&batch=A17")
    #expect(try PoolStore.batch(at: address)?.closed != nil)
  }

  @Test("says that the database is read-only, and writes once it is not")
  func readOnly() throws {
    try PoolStore.load(3, at: address)
    try asOwner("ALTER DATABASE \(database) SET default_transaction_read_only = on")
    let store = try PoolStore(address, bench: "A")
    #expect(throws: PoolError.readOnly) { try store.claim(1, for: nil) }
    #expect(throws: JournalError.pool(.away, "\(PoolError.readOnly)")) {
      try SampleBench(server.addressText(database, "B18")).begin(jobs: 3)
    }
    try asOwner("BEGIN READ WRITE; ALTER DATABASE \(database) RESET ALL; COMMIT")
    #expect(try store.claim(1, for: nil).count == 1)
  }

  @Test("releases all of a bench's jobs again where the database undid that")
  func undoneRelease() throws {
    try PoolStore.load(9, at: address)
    let bench = try PoolStore(address, bench: "A")
    try bench.sayAlive(host: "a")
    let claims = try bench.claim(4, for: nil)
    let bind = LedgerCommand.bind(
      bench: "A", epoch: claims[0].epoch, tag: [4, 1],
      message: MessageFacts(digest: Array(repeating: 1, count: 32)))
    #expect(
      try bench.perform(
        bind, on: claims[0].job, as: EventID(), telling: told("reserved", [4, 1])
      ).isChange)
    try bench.sayGone()
    // The first time, behind what was released before.
    try server.owner(of: address).run(
      """
      CREATE SEQUENCE nfcprog.tries; GRANT USAGE ON SEQUENCE nfcprog.tries TO bench;
      CREATE FUNCTION nfcprog.undo() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF new.state = 'pending' AND old.state = 'claimed' AND nextval('nfcprog.tries') = 1 THEN
          RAISE EXCEPTION SQLSTATE '40001';
        END IF;
        RETURN new;
      END $$;
      CREATE TRIGGER undo BEFORE UPDATE ON nfcprog.job
        FOR EACH ROW EXECUTE FUNCTION nfcprog.undo()
      """)
    let operating = try PoolStore(address, bench: "operator")
    #expect(throws: PoolError.noBench("B")) { try operating.release(bench: "B", at: 0) }
    #expect(try operating.release(bench: "A", at: 0) == 4)
    #expect(try operating.tally() == ["pending": 9])
  }

  @Test("does again what the database undid because of somebody else")
  func undone() throws {
    try PoolStore.load(3, at: address)
    let store = try PoolStore(address, bench: "A")
    for (state, isUndone) in [("40001", true), ("40P01", true), ("22012", false)] {
      var attempts = 0
      #expect(throws: PoolError.self) {
        try store.with { (connection) throws(PoolError) in
          attempts += 1
          try connection.run("DO 'BEGIN RAISE EXCEPTION SQLSTATE ''\(state)''; END'")
        }
      }
      #expect(attempts == (isUndone ? 3 : 1), "\(state)")
      #expect((PoolError(state: state, "ERROR:  no") == .busy) == isUndone)
    }
    #expect(JournalError(PoolError.busy) == .pool(.away, "\(PoolError.busy)"))
    #expect(try store.claim(1, for: nil).count == 1)
  }

  @Test("is reached as sslmode says, and not otherwise")
  func encryption() throws {
    try PoolStore.load(1, at: address)
    func open(_ options: String, host: String = "localhost") throws -> Bool {
      return try PQConnection(
        PoolAddress(
          parsing:
            "postgresql://bench:s3cret%2Fof%3Athe%40bench@\(host):\(server.port)/\(address.database)?batch=A17&\(options)"
        )
      ).isEncrypted
    }
    #expect(try open("sslmode=require"))
    #expect(try open("sslmode=verify-full&sslrootcert=\(server.folder)/root.crt"))
    #expect(try !open("sslmode=disable"))
    // The certificate is another host's, or its signer is not known.
    #expect(throws: PoolError.self) {
      try open("sslmode=verify-full&sslrootcert=\(server.folder)/root.crt", host: "127.0.0.1")
    }
    #expect(throws: PoolError.self) {
      try open("sslmode=verify-ca&sslrootcert=\(server.folder)/none.crt")
    }
  }

  @Test("says in one sentence that no database is there")
  func nobodyThere() throws {
    let address = try PoolAddress(parsing: "postgresql://bench@127.0.0.1:1/x?batch=A")
    do {
      _ = try PoolStore(address, bench: "A")
      Issue.record("a database was opened")
    } catch {
      #expect(error.description.hasPrefix("The database does not answer: "))
      #expect(error.description.hasSuffix("Connection refused."))
      #expect(!error.description.contains("\t"))
    }
  }
}
