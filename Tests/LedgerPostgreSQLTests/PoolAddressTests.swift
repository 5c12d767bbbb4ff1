import Foundation
import LedgerSQLite
import Testing

@testable import LedgerPostgreSQL
@testable import Provisioning

@Suite(
  "The address of a pool", .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
struct PoolAddressTests {
  @Test("may name several hosts, with a user or without one")
  func hosts() throws {
    for hosts in ["h1:5432,h2:5432", "h1,h2:1", "[::1]:5432,[fe80::1],h", "me@h1:1,h2:2", "[::1]"] {
      let address = try PoolAddress(parsing: "postgresql://\(hosts)/orders?batch=x")
      #expect(address.connection == "postgresql://\(hosts)/orders")
    }
    for hosts in ["h1:s3cret,h2", "h1,h2:s3cret", "[::1]:s3cret"] {
      #expect(throws: PoolAddress.Mistake.badPassword, "\(hosts)") {
        try PoolAddress(parsing: "postgresql://\(hosts)/orders?batch=x")
      }
    }
    // The first of them is none.
    let pool = try SamplePool()
    let both = try PoolAddress(
      parsing:
        "postgresql://127.0.0.1:1,127.0.0.1:\(pool.server.port)/\(pool.database)?user=bench&password=s3cret%2Fof%3Athe%40bench&batch=A17"
    )
    #expect(try PoolStore.batches(at: both) == [])
  }

  @Test("names one batch")
  func batches() {
    #expect(throws: PoolAddress.Mistake.twoBatches) {
      try PoolAddress(parsing: "postgresql://h/orders?batch=a&batch=b")
    }
  }

  @Test("has no control characters in what it names")
  func controls() throws {
    for name in ["a%00b", "a%0A", "%1b[2J", "a%7F", "a%C2%85", "a%E2%80%A8", "a\nb"] {
      #expect(throws: PoolAddress.Mistake.badCharacter, "\(name)") {
        try PoolAddress(parsing: "postgresql://h/orders?batch=\(name)")
      }
    }
    #expect(throws: PoolAddress.Mistake.badCharacter) {
      try PoolAddress(parsing: "postgresql://me:pass%00word@h/orders?batch=a")
    }
    #expect(try PoolAddress(parsing: "postgresql://h/orders?batch=%C3%BC 1").batch == "ü 1")
  }

  @Test(
    "is to blame for what libpq cannot read in it",
    arguments: [
      ("h/x?batch=a&b", "missing key/value separator \"=\" in URI query parameter: \"b\""),
      ("h/x?batch=a&foo=bar", "invalid URI query parameter: \"foo\""),
      ("h/x%00?batch=a", "forbidden value %00 in percent-encoded value: \"x%00\""),
      ("127.0.0.1:99999/x?batch=a", "invalid port number: \"99999\""),
      ("h/x?batch=a&sslmode=some", "invalid sslmode value: \"some\""),
      (
        "h/x?batch=a&password=ab&s3cret",
        "missing key/value separator \"=\" in URI query parameter"
      ),
      ("me:ab@h/x?batch=a&s3cret=1", "invalid URI query parameter"),
    ])
  func mistakes(rest: String, reason: String) throws {
    let text = "postgresql://" + rest
    #expect(throws: PoolError.badAddress(.notUnderstood(reason))) {
      try PoolStore.batches(at: PoolAddress(parsing: text))
    }
    let error = JournalError.pool(
      .badAddress, "The address of the pool cannot be read: \(reason).")
    #expect(throws: error) { try PoolOperator.batches(text) }
  }

  @Test(
    "is taken for one also where it is misspelt, so that no password is shown as a file's path",
    arguments: [
      "pgsql://bench:pw@h/o", "postgresql//bench:pw@h/o", " postgresql://bench:pw@h/o",
      "\npostgres:x", "bench:pw@h/o", "POSTGRESQL://h/o", "host=h password=pw",
    ])
  func misspelt(text: String) throws {
    #expect(PoolSeries.isPool(text))
    let error = JournalError.pool(.badAddress, "\(PoolError.badAddress(.noAddress))")
    #expect(throws: error) { try PoolOperator.batches(text) }
    #expect(!PoolSeries.shown(text).contains("pw"))
  }

  @Test(
    "is none where a file's path is given",
    arguments: ["orders.journal", "/srv/a@b/c:d.journal", "./x:y.journal", "a@b", ""])
  func paths(path: String) { #expect(!PoolSeries.isPool(path)) }

  @Test("names a database that is not there")
  func noDatabase() throws {
    let address = try PostgresServer.shared.get().address("nowhere", "A17")
    #expect(throws: PoolError.noDatabase("nowhere")) { try PoolStore.batches(at: address) }
  }

  @Test(
    "is refused as a pool where texts would not come back",
    arguments: [("LATIN1", false), ("SQL_ASCII", true), ("UTF8", true)])
  func encodings(_ encoding: String, isGood: Bool) throws {
    let server = try PostgresServer.shared.get()
    let name = "encoding\(UInt32.random(in: 1...UInt32.max))"
    func owner(_ database: String) throws -> PoolAddress {
      try server.socket(database, as: "owner", "A17")
    }
    try PQConnection(owner("postgres")).run(
      "CREATE DATABASE \(name) ENCODING '\(encoding)' LOCALE 'C' TEMPLATE template0")
    guard isGood else {
      #expect(throws: PoolError.otherEncoding(encoding)) { try PoolStore.prepare(owner(name)) }
      return
    }
    try PoolStore.prepare(owner(name), benches: ["bench"])
    let address = try server.address(name, "A17")
    try PoolStore.load(1, at: address, code: "Ж €")
    let names = try PoolStore.connect(address).query("SELECT name FROM nfcprog.job")
    #expect(names.map { $0[0] } == ["Ж €-1"])
  }

  @Test("says no password, whatever goes wrong")
  func secrets() throws {
    let server = try PostgresServer.shared.get()
    let secret = "s3cret/of:the@bench"
    for text in [
      "postgresql://bench:s3cret%2Fof%3Athe%40bench@127.0.0.1:1/x?batch=A",
      "postgresql://bench:wrong-s3cret@127.0.0.1:\(server.port)/postgres?batch=A",
      "postgresql://bench@127.0.0.1:1/x?batch=A&password=s3cret%2Fof%3Athe%40bench",
    ] {
      let address = try PoolAddress(parsing: text)
      #expect(!address.description.contains("s3cret"))
      #expect(!address.connection.contains("s3cret"))
      do {
        _ = try PoolStore(address, bench: "A")
        Issue.record("\(text) was opened")
      } catch {
        #expect(!"\(error) \(error.description)".contains("s3cret"))
      }
    }
    for text in ["orders", "orders.journal", "", "host=a dbname=orders", "mysql://a/orders"] {
      #expect(throws: PoolAddress.Mistake.noAddress, "\(text)") {
        try PoolAddress(parsing: text, needsBatch: false)
      }
    }
    #expect(throws: PoolAddress.Mistake.badEscape) {
      try PoolAddress(parsing: "postgresql://bench:s3cret%zz@h/x?batch=A")
    }
    for password in [secret, "s3cret?", "s3cret?x@y"] {
      #expect(throws: PoolAddress.Mistake.badPassword, "\(password)") {
        try PoolAddress(parsing: "postgresql://bench:\(password)@h/x?batch=A")
      }
    }
    for good in ["h", "h:5432", "[::1]:5432", ""] {
      #expect(try PoolAddress(parsing: "postgresql://\(good)/x?batch=A%201").batch == "A 1")
    }
    #expect(throws: PoolAddress.Mistake.noBatch) { try PoolAddress(parsing: "postgresql://h/x") }
  }
}
