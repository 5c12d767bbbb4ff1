import Ledger

/// Batches that have their list in the pool: who makes, extends and closes them is no bench.
extension PoolStore {
  /// Makes a batch with its list, as a whole or not at all. Where it is there already, makes sure
  /// that it is the same. `bytes` is the list, `feed` gives every job of it, in order. Notes the
  /// request that asks for it.
  package static func make<Failure: Error>(
    _ list: PoolList, _ bytes: [UInt8], at address: PoolAddress, _ request: PoolRequest? = nil,
    _ wrap: @escaping (PoolError) -> Failure,
    _ feed: (JobTaker<Failure>) throws(Failure) -> Void
  ) throws(Failure) {
    try load(at: address, wrap, feed) { (connection) throws(PoolError) in
      let id = try insert(list, EventID().bytes, address.batch, connection)
      try request?.note(of: address.batch, connection)
      return id
    } finish: { (connection, batch) throws(PoolError) in
      try append(bytes, to: batch, connection)
    }
  }

  /// Adds rows to the end of a batch and of its list. `list` is the whole of it as it is then,
  /// `known` what the batch has had, `bytes` what is added to its list, `feed` gives the jobs of
  /// that. False: somebody else was quicker, and nothing was added. Throws `closed`. Notes the
  /// request that asks for it.
  package static func add<Failure: Error>(
    _ list: PoolList, _ bytes: [UInt8], to known: PoolBatch, at address: PoolAddress,
    _ request: PoolRequest? = nil, _ wrap: @escaping (PoolError) -> Failure,
    _ feed: (JobTaker<Failure>) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var isAdded = false
    try load(at: address, wrap, feed) { (connection) throws(PoolError) in
      let id = try grow(known, to: list, connection)
      isAdded = id != nil
      if isAdded { try request?.note(of: address.batch, connection) }
      return id
    } finish: { (connection, batch) throws(PoolError) in
      try append(bytes, to: batch, connection)
    }
    return isAdded
  }

  /// As long as the table lets one be.
  fileprivate static let piece = 65_536

  private static func append(
    _ bytes: [UInt8], to batch: Int64, _ connection: PQConnection
  ) throws(PoolError) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + piece)
      _ = try connection.query(
        """
        INSERT INTO nfcprog.list (batch, piece, bytes)
        SELECT $1, coalesce(max(piece) + 1, 0), $2 FROM nfcprog.list WHERE batch = $1
        """, [.number(batch), .bytes(Array(bytes[start..<end]))])
      start = end
    }
  }
}

/// The list of a batch as the pool has it, read piece by piece.
package final class PoolListReading {
  private let address: PoolAddress
  private var connection: PQConnection
  /// The batch as it was at the last reading.
  package private(set) var batch: PoolBatch
  private var next: Int64 = 0
  /// Pieces that are asked for at once.
  private static let portion = 16

  /// Throws `noBatch` where there is no such batch.
  package init(_ address: PoolAddress) throws(PoolError) {
    self.address = address
    connection = try PoolStore.connect(address)
    let found = try PoolStore.batches(connection, "WHERE name = $1", [.text(address.batch)])
    guard let batch = found.first else { throw .noBatch(address.batch) }
    self.batch = batch
  }

  /// Leaves out what was just added by `PoolStore.add` to what was read so far.
  package func skip(_ added: [UInt8]) {
    next += Int64((added.count + PoolStore.piece - 1) / PoolStore.piece)
  }

  /// Hands on what the list has more than at the last reading, and knows the batch as it is with
  /// that; false: the batch has no list here. Goes on where it was after the database was away.
  package func read<Failure: Error>(
    _ wrap: (PoolError) -> Failure, _ take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    do throws(PoolError) {
      if !connection.isOpen { connection = try PoolStore.connect(address) }
      try connection.run("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      let found = try PoolStore.batches(connection, "WHERE id = $1", [.number(batch.number)])
      guard let now = found.first else { throw .noBatch(batch.name) }
      batch = now
    } catch {
      throw wrap(error)
    }
    while true {
      let rows: [PQRow]
      do throws(PoolError) {
        rows = try connection.query(
          """
          SELECT piece, bytes FROM nfcprog.list WHERE batch = $1 AND piece >= $2 ORDER BY piece
          LIMIT $3
          """, [.number(batch.number), .number(next), PQValue(Self.portion)])
      } catch {
        throw wrap(error)
      }
      for row in rows {
        do throws(Failure) { try take(row.bytes(1) ?? []) } catch {
          try? connection.run("ROLLBACK")
          throw error
        }
        next = (row.number(0) ?? next) + 1
      }
      if rows.count < Self.portion { break }
    }
    do throws(PoolError) { try connection.run("COMMIT") } catch { throw wrap(error) }
    return next > 0
  }
}
