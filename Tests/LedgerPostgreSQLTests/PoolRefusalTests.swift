import Foundation
import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite(
  "A server that answers and refuses", .serialized,
  .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolRefusalTests: PoolSuite {
  let pool: SamplePool

  init() throws { pool = try SamplePool() }

  /// What an address with these words at its end comes to.
  private func failure(_ host: String, _ rest: String, password: String? = nil) -> PoolError? {
    let secret = password ?? "s3cret%2Fof%3Athe%40bench"
    do {
      let address = try PoolAddress(
        parsing: "postgresql://bench:\(secret)@\(host):\(server.port)/\(database)?batch=A17&\(rest)"
      )
      _ = try PoolStore.batches(at: address)
      return nil
    } catch {
      return error as? PoolError
    }
  }

  @Test("proves who it is, or is not believed")
  func certificates() {
    let root = "sslrootcert=\(server.folder)/root.crt"
    // TLS's own name for the host, whose address is this.
    #expect(failure("localhost", "hostaddr=127.0.0.1&sslmode=verify-full&\(root)") == nil)
    #expect(
      failure("127.0.0.1", "sslmode=verify-full&\(root)")
        == .turnedAway(.otherHost("127.0.0.1", isFor: "localhost")))
    #expect(
      failure("127.0.0.1", "sslmode=verify-full&sslrootcert=/nowhere/root.crt")
        == .turnedAway(.noRootCertificate("/nowhere/root.crt")))
    let other = "\(server.folder)-other"
    defer {
      for end in ["crt", "key"] { try? FileManager.default.removeItem(atPath: "\(other).\(end)") }
    }
    let made = unsafe system(
      "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=other -keyout \(other).key -out \(other).crt >/dev/null 2>&1"
    )
    #expect(made == 0)
    #expect(
      failure("127.0.0.1", "sslmode=verify-ca&sslrootcert=\(other).crt")
        == .turnedAway(.notVerified))
  }

  @Test("says whose password is wrong, once")
  func passwords() {
    #expect(
      failure("127.0.0.1", "", password: "wrong")
        == .turnedAway(.otherPassword(user: "bench", file: nil)))
    let error = JournalError.pool(
      .away,
      "The server has no user bench with this password: correct it in ~/.pgpass, the file of PGPASSFILE, or PGPASSWORD."
    )
    #expect(throws: error) {
      try PoolOperator.batches(
        "postgresql://bench:wrong@127.0.0.1:\(server.port)/\(database)")
    }
  }

  /// As libpq 15 writes it, also where its second try says something else.
  @Test(
    "is understood in libpq's words",
    arguments: [
      (
        "at failed: FATAL:  no pg_hba.conf entry for host \"10.0.0.7\", user \"line\", database \"orders\", SSL encryption\nat failed: FATAL:  no pg_hba.conf entry for host \"10.0.0.7\", user \"line\", database \"orders\", no encryption",
        ConnectionFault.noEntry(
          user: "line", address: "10.0.0.7", database: "orders", isPlain: false)
      ),
      (
        "at failed: FATAL:  pg_hba.conf rejects connection for host \"10.0.0.7\", user \"line\", database \"orders\", no encryption",
        .noEntry(user: "line", address: "10.0.0.7", database: "orders", isPlain: true)
      ),
      (
        "at failed: could not read certificate file \"a.crt\": no start line\nat failed: FATAL:  no pg_hba.conf entry for host \"10.0.0.7\", user \"line\", database \"orders\", no encryption",
        .ownCertificate("could not read certificate file \"a.crt\": no start line")
      ),
      (
        "at failed: server does not support SSL, but SSL was required", .notEncrypted
      ),
      (
        "at failed: FATAL:  password authentication failed for user \"line\"\npassword retrieved from file \"/p\"\nat failed: FATAL:  no pg_hba.conf entry for host \"10.0.0.7\", user \"line\", database \"orders\", no encryption",
        .otherPassword(user: "line", file: "/p")
      ),
      ("at failed: fe_sendauth: no password supplied", .noPassword),
    ])
  func words(_ text: String, _ fault: ConnectionFault) {
    #expect(PQConnection.failure(text, address) == .turnedAway(fault))
  }

  @Test("says a sentence once that both of libpq's tries end with")
  func repeats() {
    #expect(
      PQConnection.failure("at failed: FATAL:  it rests.\nat failed: FATAL:  it rests.\n", address)
        == .away("at failed: FATAL:  it rests"))
  }

  @Test("has no user of that name, or another program's tables")
  func preparing() throws {
    let owner = try pool.socket()
    #expect(throws: PoolError.noUser("nobody")) {
      try PoolStore.prepare(owner, benches: ["bench", "nobody"])
    }
    try PQConnection(owner).run(
      "DROP SCHEMA nfcprog CASCADE; CREATE SCHEMA nfcprog; CREATE TABLE nfcprog.version (text text)"
    )
    #expect(throws: PoolError.otherSchema) { try PoolStore.prepare(owner) }
  }

  @Test("says who may prepare a database, and give a bench's jobs to others")
  func rights() throws {
    func expect(_ reason: String, _ body: () throws -> Void) {
      let sentence = "The database does not allow this: \(reason)."
      #expect(throws: JournalError.pool(.notAllowed, sentence), performing: body)
    }
    expect("only the owner of the database may make tables in it and give rights") {
      try PoolOperator.prepare(text, benches: ["bench"], viewers: [])
    }
    try PoolStore.load(1, at: address)
    try PQConnection(pool.socket()).run("REVOKE UPDATE ON nfcprog.bench FROM bench")
    expect("only the owner of the tables and a bench's user may give jobs to others") {
      _ = try PoolOperator.release(text, bench: "A")
    }
  }
}
