import Bytes
import Ledger

/// The messages of jobs that are loaded into a batch, held against what is on tags of the other
/// batches of the database, or may be: one corrected row makes a list another one, and would put
/// all other rows on second tags.
struct NewMessages {
  private let connection: PQConnection
  private let batch: Int64
  /// Is true if another batch has anything on tags.
  private let areOthers: Bool
  private var jobs: [(job: PoolJob, digest: [UInt8])] = []
  /// So many are looked for at once.
  private static let portion = 1000

  init(besides batch: Int64, _ connection: PQConnection) throws(PoolError) {
    (self.batch, self.connection) = (batch, connection)
    areOthers = try !connection.query(
      """
      SELECT 1 FROM nfcprog.batch WHERE id <> $1 AND EXISTS (
        SELECT 1 FROM nfcprog.job WHERE job.batch = batch.id AND message_digest IS NOT NULL)
      LIMIT 1
      """, [.number(batch)]
    ).isEmpty
  }

  /// Throws `onTag` where the message of this job, or of one before it, is on a tag.
  mutating func look(at job: PoolJob, _ message: () -> [UInt8]?) throws(PoolError) {
    guard areOthers, let digest = message() else { return }
    jobs.append((job, digest))
    if jobs.count == Self.portion { try finish() }
  }

  /// Throws `onTag` where the message of a job that was not looked for yet is on a tag.
  mutating func finish() throws(PoolError) {
    guard !jobs.isEmpty else { return }
    defer { jobs = [] }
    let list = jobs.map { "\"\\\\x\(Hex.string($0.digest))\"" }.joined(separator: ",")
    let rows = try connection.query(
      """
      SELECT given.place, batch.name, job.number
      FROM unnest($1::bytea[]) WITH ORDINALITY AS given (digest, place)
      JOIN nfcprog.job ON job.message_digest = given.digest
      JOIN nfcprog.batch ON batch.id = job.batch
      WHERE batch.id <> $2 ORDER BY given.place LIMIT 1
      """, [.text("{\(list)}"), .number(batch)])
    guard let row = rows.first, let place = row.number(0), let number = row.number(2) else {
      return
    }
    let job = jobs[Int(place) - 1].job
    throw .onTag(line: job.place.line, job.name, batch: row[1] ?? "", job: Int(number))
  }
}
