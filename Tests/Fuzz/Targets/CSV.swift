#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
#if canImport(JobLists)
  @testable import JobLists
#endif

/// A table is read to its end, row behind row; a row that can be read is read the same when it is
/// written with quotes.
enum CSVTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) throws {
    let scratch = Scratch()
    scratch.fill(bytes)
    guard let file = try? SourceFile(scratch.path), let opening = try? TableOpening(file) else {
      return
    }
    let quote = UInt8(ascii: "\"")
    var rows = TableRows(
      file, delimiter: opening.dialect.delimiter, quote: quote, names: opening.header.names,
      from: opening.dataStart)
    var (count, offset, written) = (0, UInt64(0), [[String]]())
    while let row = rows.next() {
      count += 1
      try require(count <= bytes.count + 1, "more rows than bytes")
      guard case .success(let row) = row else { continue }
      try require(row.offset >= offset, "rows go back")
      offset = row.offset
      written.append(row.fields)
    }
    scratch.fill(Array(written.map(line).joined().utf8))
    guard let copy = try? SourceFile(scratch.path) else {
      throw Broken("the copy cannot be opened")
    }
    var again = TableRows(
      copy, delimiter: UInt8(ascii: ","), quote: quote, names: [], from: LinePlace(offset: 0))
    for fields in written {
      guard case .success(let row) = again.next() else {
        throw Broken("\(fields) cannot be read back")
      }
      try require(row.fields == fields, "\(fields) is read back as \(row.fields)")
    }
    try require(again.next() == nil, "more rows than were written")
  }
}

private func line(_ fields: [String]) -> String {
  // By scalars: a quote with a combining mark behind it is another character, and the same byte.
  let quoted = fields.map { field in
    let parts = field.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }
  return quoted.joined(separator: ",") + "\n"
}

/// A file in memory, gone with this.
private final class Scratch {
  let path: String
  private let descriptor: CInt

  init() {
    #if canImport(Glibc)
      path = "/dev/shm/nfcprog-fuzz-\(getpid())"
    #else
      path = "/tmp/nfcprog-fuzz-\(getpid())"
    #endif
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    precondition(descriptor >= 0, "no file at \(path)")
  }

  deinit {
    unsafe unlink(path)
    close(descriptor)
  }

  func fill(_ bytes: [UInt8]) {
    ftruncate(descriptor, 0)
    let count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    precondition(count == bytes.count, "\(path) cannot be written")
  }
}
