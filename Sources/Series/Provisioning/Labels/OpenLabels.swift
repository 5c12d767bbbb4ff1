import Foundation
import JobLists
import LedgerSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A label file that is open.
struct OpenLabels {
  private let file: AppendedFile
  private let path: String
  private let columns: [String]
  /// The names of its columns: those of the version that made it.
  private var header: [String]
  /// How it is written: as the list, or as it began.
  private var dialect: TableDialect
  var wait: LabelLockWait

  /// Opens the file at `path`, or makes it with its header. Throws for what is no file: rows that
  /// cannot be read again cannot be each once.
  init(
    _ path: String, _ columns: [String], _ dialect: TableDialect, _ wait: LabelLockWait
  ) throws {
    (self.path, self.columns, self.dialect, self.wait) = (path, columns, dialect, wait)
    file = try AppendedFile(path)
    header = LabelRow.header(columns)
    try locked { labels in
      guard try labels.file.beginning().isEmpty else { return }
      try labels.file.append(labels.opening)
    }
    let beginning = try file.beginning()
    // A file goes on as it began.
    for names in [header, LabelRow.header(columns, LabelRow.earlier)] {
      for dialect in [dialect, .plain] {
        (header, self.dialect) = (names, dialect)
        if beginning.starts(with: opening) { return }
      }
    }
    (header, self.dialect) = (LabelRow.header(columns), dialect)
  }

  /// The bytes before the first row.
  private var opening: [UInt8] { dialect.opening + record(header) }

  private func record(_ fields: [String]) -> [UInt8] {
    CSV.record(fields, dividedBy: dialect.delimiter)
  }

  /// What tells a file from another one at the same path.
  struct Identity: Hashable {
    let device: Int64
    let inode: Int64

    fileprivate init(_ status: stat) {
      device = Int64(truncatingIfNeeded: status.st_dev)
      inode = Int64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// That of the file at `path`; nil: there is none.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// That of this file.
  var identity: Identity {
    var status = stat()
    _ = unsafe fstat(file.handle.fileDescriptor, &status)
    return Identity(status)
  }

  /// Is true if the path still leads to this file.
  var isInPlace: Bool {
    var named = stat()
    return unsafe stat(path, &named) == 0 && Identity(named) == identity
  }

  /// Runs `body` while no other process appends. Throws when one does for too long.
  func locked<Value>(_ body: (Self) throws -> Value) throws -> Value {
    try wait.lock(file.handle.fileDescriptor, path)
    defer { _ = flock(file.handle.fileDescriptor, LOCK_UN) }
    return try body(self)
  }

  /// Appends the rows of these tags.
  func append(_ written: [WrittenTag]) throws {
    try file.append(written.flatMap { record(LabelRow.fields($0, header)) })
  }

  // MARK: Opening again

  /// What a look at the file has shown.
  struct Finding {
    var repairs = LabelFile.Repairs()
    var missing: MissingLabels
    /// Jobs whose rows are there.
    var jobs: [Int] = []
    /// Where the last whole row ends.
    var end: UInt64 = 0
    var hasHeader = false
  }

  /// Compares the file with the journal; changes nothing.
  func check(against session: JournalSession, _ number: Int64) throws -> Finding {
    var finding = Finding(missing: try MissingLabels(for: session, file: number))
    var scanner = CSVScanner(delimiter: dialect.delimiter)
    var found: [String]?
    try file.forEachPiece { piece in
      scanner.scan(piece) { fields in
        guard found != nil else {
          found = dialect.hasMark ? Self.unmarked(fields) : fields
          return
        }
        guard let job = finding.missing.strike(fields) else {
          finding.repairs.strangers += 1
          return
        }
        finding.jobs.append(job)
      }
      guard found == nil || found == header, !scanner.isTooLong else {
        throw isConverted(found) ? LabelError.converted(path) : LabelError.otherFile(path)
      }
    }
    finding.repairs.wasTorn = scanner.isTorn
    (finding.end, finding.hasHeader) = (scanner.end, found != nil)
    if scanner.isTorn, found == nil {
      // Without a whole header it is ours only when it is the beginning of one.
      guard opening.starts(with: try file.beginning()) else {
        throw LabelError.otherFile(path)
      }
    }
    return finding
  }

  /// The first row without the byte-order mark before it.
  private static func unmarked(_ fields: [String]) -> [String] {
    guard let first = fields.first, first.unicodeScalars.first == "\u{FEFF}" else { return fields }
    return [String(first.unicodeScalars.dropFirst())] + fields.dropFirst()
  }

  /// Returns whether this first row would be the header without what spreadsheets add: a byte order
  /// mark, a carriage return. They may also have put semicolons in place of commas.
  private func isConverted(_ first: [String]?) -> Bool {
    guard let first else { return false }
    var names = first.joined(separator: ",").unicodeScalars
    names.removeAll { $0 == "\u{FEFF}" || $0 == "\r" || $0 == "\"" }
    return String(names).replacing(";", with: ",") == header.joined(separator: ",")
  }

  /// Takes a torn row away and adds what is missing.
  func repair(_ finding: Finding, _ session: JournalSession) throws -> LabelFile.Repairs {
    var repairs = finding.repairs
    if repairs.wasTorn { try file.truncate(to: finding.end) }
    if !finding.hasHeader { try file.append(opening) }
    var rows: [WrittenTag] = []
    try session.journal.forEachWritten { written in
      guard finding.missing.contains(written) else { return }
      rows.append(written)
      repairs.added += 1
      guard rows.count > 500 else { return }
      try append(rows)
      rows = []
    }
    if !rows.isEmpty { try append(rows) }
    return repairs
  }
}
