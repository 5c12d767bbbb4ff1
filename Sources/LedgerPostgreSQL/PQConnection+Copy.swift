import Clibpq

/// What is handed over after a COPY … FROM STDIN.
extension PQConnection {
  /// Lines of PostgreSQL's text format.
  func put(_ lines: [UInt8]) throws(PoolError) {
    let sent = unsafe lines.withUnsafeBytes { buffer in
      unsafe pq.put_copy_data(
        connection, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count))
    }
    guard sent == 1 else { throw gone }
  }

  /// The end; `isGood`: what was handed over is to be kept. The server has kept up with it, but for
  /// what networks and disks hold back.
  func endCopy(isGood: Bool) throws(PoolError) {
    let sent = unsafe pq.put_copy_end(
      connection, isGood ? nil : "the list ended with a mistake")
    do throws(PoolError) { _ = try answer(sent, within: patience * 6) } catch {
      if isGood { throw error }
    }
  }
}
