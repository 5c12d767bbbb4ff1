import Ledger
import LedgerPostgreSQL

/// Rows that somebody sends for a batch that has its list in the pool: a CSV text with a first line
/// of its own, in which the batch's columns may stand in any order.
package struct SentRows {
  /// With the list that the batch has already.
  private let whole: SentList
  private let known: PoolBatch
  private let address: PoolAddress
  /// What is added to the list.
  private let bytes: [UInt8]

  /// Reads the batch's list and checks it with the rows. Throws their mistakes, by the lines of
  /// `csv`; `closed` where the batch takes no rows.
  package init(_ csv: String, at address: PoolAddress) throws(SentList.Refusal) {
    self.address = address
    var bytes: [UInt8] = []
    let reading: PoolListReading
    do throws(PoolError) { reading = try PoolListReading(address) } catch { throw .pool(error) }
    let hasList = try reading.read(SentList.Refusal.pool) { (piece) throws(SentList.Refusal) in
      bytes += piece
    }
    known = reading.batch
    guard known.closed == nil else { throw .pool(.closed(known.name)) }
    guard hasList else { throw .mistakes([Self.noList]) }
    let description = PooledList.description(of: known)
    let start = bytes.count
    let added: [UInt8]
    let lines: [Int: Int]
    do throws(JobSourceError) {
      let list = try JobSource(bytes, named: SentList.name, description.jobSettings)
      let rows = try JobSource(
        SentList.lines(csv), named: "The text of new rows", description.jobSettings)
      (added, lines) = try Self.arranged(rows, for: list)
    } catch {
      throw .mistakes([error.message])
    }
    guard !added.isEmpty else { throw .mistakes(["There are no rows."]) }
    self.bytes = added
    let before = Self.lineEnds(bytes[..<start])
    whole = try SentList(bytes + added, description) { lines[$0 - before] ?? $0 }
  }

  /// Adds the rows, as a whole or not at all. False: somebody else has added some meanwhile, so
  /// that they have to be checked again.
  package func add() throws(SentList.Refusal) -> Bool {
    try PoolStore.add(
      whole.list, bytes, to: known, at: address, SentList.Refusal.pool
    ) { (take) throws(SentList.Refusal) in
      try whole.feed(behind: known.jobs, take)
    }
  }

  private static let noList =
    "This batch has no list in the database: a bench has loaded it. Add rows to that bench's list and give --extend there."

  /// The rows as lines of the list, and by number of line, from 1, the line in which each was sent.
  private static func arranged(
    _ rows: JobSource, for list: JobSource
  ) throws(JobSourceError) -> (bytes: [UInt8], lines: [Int: Int]) {
    let names = rows.columns.map { $0.lowercased() }
    let places = list.columns.map { names.firstIndex(of: $0.lowercased()) }
    guard names.count == places.count, !places.contains(nil) else {
      throw JobSourceError(
        .badInput,
        "The columns of new rows are those of the batch: \(list.plan.header.listed). These rows have \(rows.plan.header.listed)."
      )
    }
    var (bytes, lines, line): ([UInt8], [Int: Int], Int) = ([], [:], 1)
    try rows.forEachRow { row throws(JobSourceError) in
      let sent: RawRow
      do throws(RowError) { sent = try row.get() } catch {
        throw JobSourceError(.badInput, error.description)
      }
      let extra = sent.fields.dropFirst(names.count)
      guard sent.fields.count >= names.count, extra.allSatisfy(\.isEmpty) else {
        let error = RowError(
          line: sent.line, "The row has \(sent.fields.count) fields, the header \(names.count).")
        throw JobSourceError(.badInput, error.description)
      }
      let fields = places.map { quoted(sent.fields[$0 ?? 0]) }
      let start = bytes.count
      bytes += fields.joined(separator: [list.delimiter])
      bytes.append(0x0A)
      lines[line] = sent.line
      line += lineEnds(bytes[start...])
    }
    return (bytes, lines)
  }

  private static func quoted(_ field: String) -> [UInt8] {
    Array("\"\(field.replacing("\"", with: "\"\""))\"".utf8)
  }

  /// How many lines end in there: by CRLF, LF or CR.
  private static func lineEnds(_ bytes: ArraySlice<UInt8>) -> Int {
    var (count, previous): (Int, UInt8) = (0, 0)
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A && previous != 0x0D { count += 1 }
      previous = byte
    }
    return count
  }
}
