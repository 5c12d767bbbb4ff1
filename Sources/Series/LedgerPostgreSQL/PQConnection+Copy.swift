import Clibpq

/// What is handed over as rows of a table.
extension PQConnection {
  /// Adds lines of PostgreSQL's text format to `table`, with its columns.
  func copy(_ lines: [UInt8], into table: String) throws(PoolError) {
    try run("COPY \(table) FROM STDIN")
    let sent = unsafe lines.withUnsafeBytes { buffer in
      unsafe pq.put_copy_data(
        connection, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count))
    }
    guard sent == 1 else { throw gone }
    _ = try answer(unsafe pq.put_copy_end(connection, nil))
  }
}
