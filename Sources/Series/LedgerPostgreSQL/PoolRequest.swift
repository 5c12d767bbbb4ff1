/// A request that its sender can send again under its key, and nothing is done twice.
package struct PoolRequest: Hashable, Sendable {
  package let key: String
  /// SHA-256 of all that it says.
  package let digest: [UInt8]

  package init(key: String, digest: [UInt8]) { (self.key, self.digest) = (key, digest) }

  /// The last so many are known; each takes some 150 bytes.
  private static let most: Int64 = 100_000

  /// Notes that it is carried out, with what it changes where a transaction is open. Throws where
  /// it was carried out before: whoever does so at the same moment is waited for.
  func note(of batch: String, _ connection: PQConnection) throws(PoolError) {
    let noted = try connection.query(
      """
      INSERT INTO nfcprog.request (key, digest, batch) VALUES ($1, $2, $3)
      ON CONFLICT (key) DO NOTHING RETURNING id
      """, [.text(key), .bytes(digest), .text(batch)])
    guard let id = noted.first?.number(0) else { throw .failed("the same request is known") }
    _ = try connection.query(
      "DELETE FROM nfcprog.request WHERE id <= $1", [.number(id - Self.most)])
  }
}

extension PoolViewer {
  /// What was carried out under this key: its digest, and the name of the batch that it was for.
  /// Nil: nothing.
  package func request(
    withKey key: String
  ) throws(PoolError) -> (digest: [UInt8], batch: String)? {
    let found = try with { (connection) throws(PoolError) -> [PQRow] in
      try connection.query(
        "SELECT digest, batch FROM nfcprog.request WHERE key = $1", [.text(key)])
    }
    return found.first.map { ($0.bytes(0) ?? [], $0[1] ?? "") }
  }
}
