import JobLists
import LedgerSQLite
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
  /// What may divide the columns of a table whose header is not there yet.
  private static let delimiters = Array(",;\t".utf8)
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
      end = TableOpening.end(
        ofHeaderIn: bytes, lineEnds: Self.ends(in: bytes, divided: Self.delimiters))
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
    let known = try KnownRows(source.files)
    try journal.forEachJob { job in
      try known.add(job)
      return true
    }
    var buffer = rest.withLock { rest in
      defer { rest = [] }
      return rest
    }
    var (isOver, hasWaited) = (false, false)
    while true {
      // A quote that nobody closes spoils its own row alone.
      let isTorn = buffer.count > Self.longest || (hasWaited && !buffer.isEmpty)
      let end =
        isOver
        ? buffer.count
        : (isTorn
          ? buffer.lastIndex(of: 0x0A).map { $0 + 1 }
          : Self.ends(in: buffer, divided: [source.delimiter]).last) ?? 0
      try spool.append(buffer[..<end])
      buffer.removeFirst(end)
      if end > 0 {
        while let row = rows.next() {
          take(try self.take(row, journal, known))
        }
      }
      if isOver { return }
      // Whoever writes rows writes them whole: what an open quote keeps back comes soon, or never.
      hasWaited = buffer.contains(0x0A) && !Self.isThere(input, within: Self.patience)
      guard !hasWaited else { continue }
      let more = try Self.read(input)
      isOver = more.isEmpty
      buffer += more
      guard buffer.count <= Self.longest * 2 else {
        throw JobSourceError(.badInput, "A row of standard input does not end; is a quote opened?")
      }
    }
  }

  private func take(
    _ row: Result<RawRow, RowError>, _ journal: Journal, _ known: KnownRows
  ) throws -> Row {
    // Another process may take rows up at the same moment: the number is given, and the row
    // compared, where no other writes.
    try journal.addNext(behind: known.last) { others, number in
      for job in others { try known.add(job) }
      do {
        let job = try source.plan.job(row.get(), number: number)
        if let number = known.number(of: job) { return (.known, .moved(number, to: job)) }
        if let problem = try known.problem(of: job) { return (.refused(problem), .nothing) }
        return (.added(job), .added(job))
      } catch let problem as RowError {
        return (.refused(problem), .nothing)
      }
    }
  }

  /// Where lines end that no quote continues: one that begins a field, behind a line's start or one
  /// of `delimiters`.
  private static func ends(in bytes: [UInt8], divided delimiters: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var place = PlaceInRow.start
    for (index, byte) in bytes.enumerated() {
      switch (byte, place) {
      case (UInt8(ascii: "\""), .start), (UInt8(ascii: "\""), .closed): place = .quoted
      case (UInt8(ascii: "\""), .quoted): place = .closed
      case (_, .quoted): break
      case (0x0A, _):
        ends.append(index + 1)
        place = .start
      case (_, _) where delimiters.contains(byte): place = .start
      // Blanks before a quote are of no account.
      case (0x20, .start), (0x0D, .start): break
      default: place = .plain
      }
    }
    return ends
  }

  /// Where a byte of a row stands.
  private enum PlaceInRow {
    /// At the beginning of a field.
    case start
    /// In a field that does not begin with a quote.
    case plain
    case quoted
    /// Behind a quote that closes, or stands for one.
    case closed
  }

  /// How long the rest of a row is waited for.
  private static let patience: CInt = 2000

  /// Returns whether something is there to be read, be it the end, within so many milliseconds.
  private static func isThere(_ input: CInt, within milliseconds: CInt) -> Bool {
    var wait = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, milliseconds) != 0
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
