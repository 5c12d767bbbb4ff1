import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A table whose rows come while the line works, such as from another program's pipe: each is
/// checked and taken up as it comes.
///
/// Rows that the journal has already, from an earlier run, are known by what they say and are not
/// taken up twice. The bytes are kept in a file without a name, so that a row's password can be
/// read when its tag is protected.
package final class FollowedList: Sendable {
  /// What became of a row.
  package enum Row: Sendable {
    /// A new job.
    case added(PlannedJob)
    /// One that the journal has.
    case known
    case refused(RowError)
  }

  package let source: JobSource
  private let input: CInt
  private let spool: SourceFile
  /// What follows the header in the first bytes that were read.
  private let rest: Mutex<[UInt8]>
  /// A header, or a row, without an end.
  private static let longest = TableRows.longestRow

  /// Reads the first line of `input`, which names the columns; blocks until it is there.
  package init(_ input: CInt, _ settings: JobSource.Settings) throws(JobSourceError) {
    self.input = input
    spool = try SourceFile(keeping: "Standard input")
    var bytes: [UInt8] = []
    var end: Int?
    while end == nil {
      let more = try Self.read(input)
      guard !more.isEmpty else { break }
      bytes += more
      end = TableOpening.end(ofHeaderIn: bytes, lineEnds: Self.ends(in: bytes))
      guard end != nil || bytes.count <= Self.longest else {
        throw JobSourceError(.badInput, "The first line of standard input does not end.")
      }
    }
    let header = end ?? bytes.count
    try spool.append(bytes[..<header])
    rest = Mutex(Array(bytes[header...]))
    source = try JobSource(spool, settings)
  }

  /// Hands every row to `take` as it comes, and returns when no more will. Throws where the input
  /// or the journal fails.
  package func follow(
    into journal: Journal, _ take: (Row) -> Void
  ) throws {
    var rows = source.follow()
    var known = try journal.jobsByDigest()
    let duplicates = try Duplicates()
    var buffer = rest.withLock { rest in
      defer { rest = [] }
      return rest
    }
    var isOver = false
    while true {
      let end = isOver ? buffer.count : Self.ends(in: buffer).last ?? 0
      try spool.append(buffer[..<end])
      buffer.removeFirst(end)
      if end > 0 {
        while let row = rows.next() {
          take(try self.take(row, journal, &known, duplicates))
        }
      }
      if isOver { return }
      let more = try Self.read(input)
      isOver = more.isEmpty
      buffer += more
      guard buffer.count <= Self.longest * 2 else {
        throw JobSourceError(.badInput, "A row of standard input does not end; is a quote opened?")
      }
    }
  }

  private func take(
    _ row: Result<RawRow, RowError>, _ journal: Journal, _ known: inout [[UInt8]: Int],
    _ duplicates: Duplicates
  ) throws -> Row {
    do {
      let job = try source.plan.job(row.get(), number: known.count + 1)
      if let number = known[job.digest] {
        try journal.move(number, to: job)
        return .known
      }
      if let problem = try JobCheck().problem(of: job, source.files, duplicates) {
        return .refused(problem)
      }
      try journal.add(job)
      known[job.digest] = job.number
      return .added(job)
    } catch let problem as RowError {
      return .refused(problem)
    }
  }

  /// Where lines end that no quote continues.
  private static func ends(in bytes: [UInt8]) -> [Int] {
    var (ends, isQuoted): ([Int], Bool) = ([], false)
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == 0x0A, !isQuoted { ends.append(index + 1) }
    }
    return ends
  }

  /// What is there now; nothing at the end. Blocks until there is something.
  private static func read(_ input: CInt) throws(JobSourceError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe systemRead(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw JobSourceError(.noInput, "Standard input cannot be read.")
      }
      return Array(buffer[..<count])
    }
  }
}

// Inside of the class, `read` is its own.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
  unsafe read(file, buffer, size)
}
