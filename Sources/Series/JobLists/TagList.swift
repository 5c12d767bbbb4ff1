import Bytes
import RecordText
import TagMemory
import WebAddress

/// Tags that somebody has listed: by their UIDs, by what they hold, or by both.
///
/// A table, or the first sheet of a workbook, names them in the columns `uid`, `url` and `message`
/// (the bytes, in hexadecimal); a file without a header has a UID or an address on each line.
package struct TagList: Sendable {
  /// What a tag holds.
  package enum Content: Hashable, Sendable {
    case message([UInt8])
    /// Its first link, as it stands on the tag.
    case link(String)
  }

  /// A tag: its UID, its content, or both.
  package struct Row: Hashable, Sendable {
    package let line: Int
    package let uid: UID?
    package let content: Content?
  }

  package private(set) var rows: [Row] = []

  /// Reads the file at `path`; `-` is standard input. Fails where it cannot be read, where it lists
  /// no tags, and for a row that names none or names one a second time.
  package init(at path: String) throws(JobSourceError) {
    let file = try SourceFile.openTable(path, sheet: nil)
    let mark = try file.markLength()
    var lines = TableRows(
      file, delimiter: 0, quote: 0, names: ["tag"], from: LinePlace(offset: mark))
    guard let first = try lines.next()?.orThrow(file.name).fields.first else {
      throw JobSourceError(.badInput, "\(file.name) is empty.")
    }
    if Self.columns(first) != nil {
      let lines = TableRows(
        file, delimiter: 0, quote: 0, names: ["tag"], from: LinePlace(offset: mark))
      try read(lines, file.name) { fields in Self.columns(fields[0]) }
    } else {
      try readTable(file)
    }
    let uids = Dictionary(rows.compactMap { row in row.uid.map { ($0, row.line) } }) { first, _ in
      first
    }
    for row in rows {
      guard let uid = row.uid, let line = uids[uid], line != row.line else { continue }
      throw JobSourceError(
        .badInput, "\(file.name), line \(row.line): The tag \(uid) stands in line \(line), too.")
    }
  }

  private typealias Columns = (uid: UID?, content: Content?)

  private mutating func readTable(_ file: SourceFile) throws(JobSourceError) {
    let opening = try TableOpening(file)
    let header = opening.header
    let (uid, url, message) = (
      header.index(of: "uid"), header.index(of: "url"), header.index(of: "message")
    )
    guard [uid, url, message].contains(where: { $0 != nil }) else {
      throw JobSourceError(
        .badInput,
        "\(file.name) lists no tags: its first line is neither a UID nor an address, and names no column uid, url or message."
      )
    }
    let table = TableRows(
      file, delimiter: opening.dialect.delimiter, quote: UInt8(ascii: "\""), names: header.names,
      from: opening.dataStart)
    try read(table, file.name) { fields throws(RowError) in
      func field(_ index: Int?) -> String {
        index.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? ""
      }
      if let fault = SpreadsheetFault(field(url)) {
        throw RowError(line: 0, column: "url", fault.sentence)
      }
      let content: Content? =
        if !field(message).isEmpty {
          .message(try Self.bytes(field(message), "message"))
        } else {
          field(url).isEmpty ? nil : Self.link(field(url))
        }
      let tag = field(uid).isEmpty ? nil : try UID(listed: field(uid))
      return tag == nil && content == nil ? nil : (tag, content)
    }
  }

  private mutating func read(
    _ table: TableRows, _ name: String, _ columns: ([String]) throws(RowError) -> Columns?
  ) throws(JobSourceError) {
    var table = table
    while let next = table.next() {
      let row = try next.orThrow(name)
      do throws(RowError) {
        guard let (uid, content) = try columns(row.fields) else {
          throw RowError(line: 0, "It names no tag: neither a UID nor what the tag holds.")
        }
        rows.append(Row(line: row.line, uid: uid, content: content))
      } catch {
        let error = RowError(line: row.line, column: error.column, error.message)
        throw JobSourceError(.badInput, "\(name), \(error)")
      }
    }
  }

  /// The UID or the address on a line; nil where it is neither.
  private static func columns(_ line: String) -> Columns? {
    if let uid = try? UID(listed: line) { return (uid, nil) }
    guard (try? Address(parsing: line)) != nil else { return nil }
    return (nil, link(line))
  }

  private static func link(_ text: String) -> Content {
    .link((try? Address(parsing: text).text) ?? text)
  }

  private static func bytes(_ text: String, _ column: String) throws(RowError) -> [UInt8] {
    do throws(HexError) {
      return try Hex.bytes(text)
    } catch {
      throw RowError(line: 0, column: column, "It is no hexadecimal: \(error).")
    }
  }
}

extension Result<RawRow, RowError> {
  /// The row. Throws what is wrong with it, which names the file.
  fileprivate func orThrow(_ file: String) throws(JobSourceError) -> RawRow {
    do throws(RowError) { return try get() } catch {
      throw JobSourceError(.badInput, "\(file), \(error)")
    }
  }
}
