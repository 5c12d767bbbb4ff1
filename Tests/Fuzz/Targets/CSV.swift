import Glibc

/// A table is read to its end, row behind row; a row that can be read is read the same when it is
/// written with quotes.
func fuzz(_ bytes: [UInt8]) {
  scratch.fill(bytes)
  guard let file = try? SourceFile(scratch.path), let opening = try? TableOpening(file) else {
    return
  }
  let quote = UInt8(ascii: "\"")
  var rows = TableRows(
    file, delimiter: opening.delimiter, quote: quote, names: opening.header.names,
    from: opening.dataStart)
  var (count, offset, written) = (0, UInt64(0), [[String]]())
  while let row = rows.next() {
    count += 1
    require(count <= bytes.count + 1, "more rows than bytes")
    guard case .success(let row) = row else { continue }
    require(row.offset >= offset, "rows go back")
    offset = row.offset
    written.append(row.fields)
  }
  scratch.fill(Array(written.map(line).joined().utf8))
  guard let copy = try? SourceFile(scratch.path) else { fatalError("the copy cannot be opened") }
  var again = TableRows(
    copy, delimiter: UInt8(ascii: ","), quote: quote, names: [], from: LinePlace(offset: 0))
  for fields in written {
    guard case .success(let row) = again.next() else { fatalError("\(fields) cannot be read back") }
    require(row.fields == fields, "\(fields) is read back as \(row.fields)")
  }
  require(again.next() == nil, "more rows than were written")
}

private func line(_ fields: [String]) -> String {
  // By scalars: a quote with a combining mark behind it is another character, and the same byte.
  let quoted = fields.map { field in
    let parts = field.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }
  return quoted.joined(separator: ",") + "\n"
}

/// A file in memory.
private struct Scratch {
  let path: String
  private let descriptor: CInt

  init() {
    path = "/dev/shm/nfcprog-fuzz-\(getpid())"
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    precondition(descriptor >= 0, "no file in /dev/shm")
  }

  func fill(_ bytes: [UInt8]) {
    ftruncate(descriptor, 0)
    let count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    precondition(count == bytes.count, "the file in /dev/shm cannot be written")
  }
}

private let scratch = Scratch()
