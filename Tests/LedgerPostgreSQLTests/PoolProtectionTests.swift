import Testing

@testable import LedgerPostgreSQL
@testable import LedgerSQLite
@testable import Provisioning

@Suite("Who gets a pool's password")
struct PoolProtectionTests {
  @Test(
    "this machine, by whatever name",
    arguments: [
      "", "/var/run/postgresql", "@abstract", "localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3",
      "::1", "::ffff:127.0.0.1", "localhost,/tmp", "127.0.0.1,::1",
    ])
  func local(host: String) {
    #expect(PoolProtection(["host": host]) == .local)
    #expect(PoolProtection(["host": host, "sslmode": "disable"]) == .local)
    #expect(
      PoolProtection(["host": "db.example", "hostaddr": host.isEmpty ? "::1" : host]) == .local)
  }

  @Test(
    "another machine only by its certificate, or where somebody wants it otherwise",
    arguments: [
      "db.factory.example", "10.0.0.7", "localhost.evil.example", "127.0.0.1.evil.example",
      "128.0.0.1", "::2", "2001:db8::1", "::ffff:10.0.0.7", "localhost,db.factory.example",
      "db.factory.example,/tmp", "0.0.0.0", "127.evil.example",
    ])
  func others(host: String) {
    for options in [["host": host], ["host": "localhost", "hostaddr": host]] {
      guard case .open = PoolProtection(options) else {
        Issue.record("\(options) is let through")
        continue
      }
      #expect(PoolProtection(options.merging(["sslmode": "verify-full"]) { $1 }) == .proven)
      for mode in ["disable", "allow", "prefer", "require", "verify-ca"] {
        let protection = PoolProtection(options.merging(["sslmode": mode]) { $1 })
        guard case .wanted(_, mode) = protection else {
          Issue.record("\(options) \(mode): \(protection)")
          continue
        }
        #expect(protection.warning?.contains("verify-full") == true)
        #expect(protection.authentication(hasCertificate: false) == "scram-sha-256")
      }
    }
    #expect(PoolProtection(["service": "orders"]) == .open(host: "of the service orders"))
  }

  @Test(
    "an address that names none of these is not even tried: wrong usage",
    .enabled(if: PostgresServer.isInstalled, PostgresServer.isMissing))
  func refused() throws {
    for rest in ["db.invalid/orders?batch=A", "x:y@10.255.255.1/orders?batch=A"] {
      let address = try PoolAddress(parsing: "postgresql://" + rest)
      let error = #expect(throws: PoolError.self) { try PoolStore.batches(at: address) }
      guard case .badAddress(.unproven)? = error else {
        Issue.record("\(error.map(String.init(describing:)) ?? "nothing")")
        continue
      }
      #expect(error?.description.contains("sslmode=verify-full") == true)
      guard case .pool(.badAddress, _)? = error.map(JournalError.init) else {
        Issue.record("not the usage")
        continue
      }
    }
  }
}
