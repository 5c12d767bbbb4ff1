import Bytes

/// What is on tags of the other batches of a database, by its messages.
package final class PoolMessages {
  private let connection: PQConnection
  private let batch: String

  /// Beside the batch that `address` names.
  package init(_ address: PoolAddress) throws(PoolError) {
    connection = try PoolStore.connect(address)
    batch = address.batch
  }

  /// Whether anything is on tags there.
  package var areThere: Bool {
    get throws(PoolError) {
      try !connection.query(
        """
        SELECT 1 FROM nfcprog.batch WHERE name <> $1 AND EXISTS (
          SELECT 1 FROM nfcprog.job WHERE job.batch = batch.id AND message_digest IS NOT NULL)
        LIMIT 1
        """, [.text(batch)]
      ).isEmpty
    }
  }

  /// The first of the messages with these SHA-256 that is on a tag of another batch, or may be: its
  /// place among them, the batch and the number of the job; nil: none is.
  package func first(
    of digests: [[UInt8]]
  ) throws(PoolError) -> (place: Int, batch: String, job: Int)? {
    guard !digests.isEmpty else { return nil }
    let list = digests.map { "\"\\\\x\(Hex.string($0))\"" }.joined(separator: ",")
    let rows = try connection.query(
      """
      SELECT given.place, batch.name, job.number
      FROM unnest($1::bytea[]) WITH ORDINALITY AS given (digest, place)
      JOIN nfcprog.job ON job.message_digest = given.digest
      JOIN nfcprog.batch ON batch.id = job.batch
      WHERE batch.name <> $2 ORDER BY given.place LIMIT 1
      """, [.text("{\(list)}"), .text(batch)])
    guard let row = rows.first, let place = row.number(0), let job = row.number(2) else {
      return nil
    }
    return (Int(place) - 1, row[1] ?? "", Int(job))
  }
}
