import HubKit

@testable import LedgerPostgreSQL

/// A new database that has the tables of a pool, for one batch.
struct SamplePool: Sendable {
  let server: PostgresServer
  let batch: String
  /// As a bench comes: over TCP, with a password.
  let address: PoolAddress

  /// `server`: the one that all suites share, by default.
  init(_ batch: String = "A17", on server: PostgresServer? = nil) throws {
    self.server = try server ?? PostgresServer.shared.get()
    self.batch = batch
    address = try self.server.pool(batch)
  }

  var database: String { address.database }

  /// The bench's address as somebody writes it.
  var text: String { server.addressText(database, batch) }

  /// The same through a network that can be cut.
  func text(through network: Network) -> String {
    server.addressText(database, batch, network.port)
  }

  /// The address of a user who comes over the socket, without a password.
  func socket(as user: String = "owner") throws -> PoolAddress {
    try server.socket(database, as: user, batch)
  }

  /// A hub at work on the pool, with a role of its own.
  func hub() throws -> PoolHubStore {
    try server.owner(of: address).run(
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'hub') THEN CREATE ROLE hub LOGIN; END IF;
      END $$
      """)
    try PoolStore.prepare(socket(), hubs: ["hub"])
    return PoolHubStore(try PoolViewer(socket(as: "hub")))
  }
}

/// A suite each of whose tests has a pool of its own.
protocol PoolSuite {
  var pool: SamplePool { get }
}

extension PoolSuite {
  var server: PostgresServer { pool.server }
  var address: PoolAddress { pool.address }
  var database: String { pool.database }
  /// The bench's address as somebody writes it.
  var text: String { pool.text }
}

extension PoolAddress {
  var database: String { connection.split(separator: "/").last.map(String.init) ?? "" }
}

/// The UID of a test's tag with this number.
func uid(_ number: some BinaryInteger) -> [UInt8] { [0x04, 0, 0, 0, 0, 0, UInt8(number)] }
