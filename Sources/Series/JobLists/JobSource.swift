import CardCrypto
import Synchronization
import TagMemory

/// Where the jobs of a run come from: a table, a list of codes or a range of numbers.
///
/// It is opened once and read as a stream, as often as needed; a million rows take no more memory
/// than one. Rows keep their numbers and offsets as long as the file is not written to.
package final class JobSource: Sendable {
  /// What is read.
  package enum Input: Hashable, Sendable {
    /// A CSV file whose first line names the columns, or a workbook, whose sheet `sheet` does (nil:
    /// the first one that is not hidden); `-` is standard input.
    case table(String, sheet: String? = nil)
    /// One code a line, the field `{code}`; `-` is standard input.
    case codes(String)
    /// Numbers, the field `{code}`.
    case range(CodeRange)
  }

  /// What holds for every row.
  package struct Settings: Hashable, Sendable {
    /// The records, in whose texts the columns' names may stand: `https://example.com/t/{code}`.
    /// Nil: a URI record of the column `url`.
    package var message: MessageTemplate?
    /// The type of tag of rows that name none, as `sim:` calls it.
    package var tagType: String?
    /// Is true if tags are made read-only whose row does not say.
    package var locks = false
    /// The columns with the keys 0 to 4 that an NTAG 424 DNA gets; none: its keys follow from a
    /// master, or it gets none.
    package var keyColumns: [String] = []
    /// The columns with those that it has before; none: its keys are the same in every row, or
    /// those of delivery.
    package var oldKeyColumns: [String] = []
    /// Links keep this rule, too; nil: a person has named none.
    package var content: ContentRule?

    package init() {}
  }

  package let input: Input
  /// The files that the message's records name, read once.
  package var files: MessageFiles { plan.files }
  /// The names of the columns that fields may name, as they are written.
  package var columns: [String] { plan.header.names }

  /// Those that no secrets stand in.
  package var openColumns: [String] {
    columns.indices.filter { !plan.header.secrets.contains($0) }.map { columns[$0] }
  }

  package let plan: RowPlan
  private let file: SourceFile?
  private let start: LinePlace
  /// How the table is written; plain where the source is none.
  package let dialect: TableDialect
  package let delimiter: UInt8
  private let knownCount = Mutex<Int?>(nil)
  private let blank = Mutex(BlankRows())

  /// Opens `input` and reads as much as is needed to know its columns. Fails where the file cannot
  /// be read or its first line names no columns, where the message has a field that there is no
  /// column for, and so on.
  package init(_ input: Input, _ settings: Settings = Settings()) throws(JobSourceError) {
    self.input = input
    switch input {
    case .table(let path, let sheet):
      let file = try SourceFile.openTable(path, sheet: sheet)
      let opening = try TableOpening(file)
      self.file = file
      start = opening.dataStart
      (dialect, delimiter) = (opening.dialect, opening.dialect.delimiter)
      plan = try RowPlan(opening.header, settings)
    case .codes(let path):
      let file = try SourceFile(path)
      self.file = file
      start = LinePlace(offset: try file.markLength())
      (dialect, delimiter) = (
        TableDialect(delimiter: TableDialect.plain.delimiter, hasMark: start.offset > 0), 0
      )
      plan = try RowPlan(Header(["code"]), settings)
    case .range:
      (file, start, dialect, delimiter) = (nil, LinePlace(offset: 0), .plain, 0)
      plan = try RowPlan(Header(["code"]), settings)
    }
  }

  /// A table whose first line, and nothing else yet, is in `file`.
  package init(_ file: SourceFile, _ settings: Settings) throws(JobSourceError) {
    let opening = try TableOpening(file)
    (input, self.file) = (.table("-"), file)
    (start, dialect, delimiter) = (
      opening.dataStart, opening.dialect, opening.dialect.delimiter
    )
    plan = try RowPlan(opening.header, settings)
  }

  /// A table that somebody has sent; `name` is what sentences call it.
  package convenience init(
    _ bytes: [UInt8], named name: String, _ settings: Settings
  ) throws(JobSourceError) {
    let file = try SourceFile(keeping: name)
    try file.append(bytes[...])
    try self.init(file, settings)
  }

  /// Says whether rows have passwords or keys of their own.
  package var hasSecrets: Bool { !plan.header.secrets.isEmpty }

  /// Is true if each row is a whole memory, and none a message.
  package var writesImages: Bool { plan.writesImages }

  /// Is true if each row is for one tag, whose UID it has.
  package var namesTags: Bool { plan.header.uid != nil }

  /// Is true if rows have what opens their tags before they get their jobs.
  package var opensTags: Bool { plan.header.oldPassword != nil }

  /// The rows of such a table, as far as there are any each time that the next one is asked for.
  package func follow() -> TableRows {
    guard let rows = rows(from: start) else { preconditionFailure("a table has a file") }
    return rows
  }

  /// What is to be said of the list before the first tag, a line each, once its rows were read.
  package var remarks: [ListRemark] {
    var isNamed = false
    if case .table(_, .some) = input { isNamed = true }
    return plan.remarks + (file?.sheet?.remarks(isNamed: isNamed) ?? [])
      + (blank.withLock { $0 }.remark.map { [$0] } ?? [])
  }

  /// Hands every row to `body` in order, as a job or with what is wrong with it; ends early when
  /// `body` throws.
  package func forEachJob<Failure: Error>(
    _ body: (Result<PlannedJob, RowError>) throws(Failure) -> Void
  ) throws(Failure) {
    var number = 0
    try forEachRow { row throws(Failure) in
      number += 1
      try body(
        Result { () throws(RowError) in try plan.job(row.get(), number: number) })
    }
  }

  /// How many rows there are, those with mistakes included. The first time, the file is read.
  package var count: Int {
    if let count = knownCount.withLock({ $0 }) { return count }
    var count = 0
    if case .range(let range) = input {
      count = range.numbers.count
    } else {
      forEachRow { _ in count += 1 }
    }
    knownCount.withLock { [count] in $0 = count }
    return count
  }

  /// SHA-256 of all that a check of the list goes by, so that one which was good need not be looked
  /// through again: the list's bytes, the settings in `description`, and `version`, the program's.
  /// Nil where the messages name files: those may change by themselves.
  package func digest(
    _ description: SourceDescription, version: String
  ) throws(JobSourceError) -> [UInt8]? {
    if plan.writesImages { return nil }
    let plain = ["uri ", "text ", "lang ", "android-app "]
    let hash = SHA256()
    for setting in description.settings {
      if setting.name.hasPrefix("record "),
        !plain.contains(where: setting.value.hasPrefix) || setting.value.contains("{hmac")
      {
        return nil
      }
      hash.update(Array("\(setting.name)\0\(setting.value)\0".utf8))
    }
    hash.update(Array("\(version)\0\(description.kind)\0".utf8))
    guard let file else {
      hash.update(Array(description.name.utf8))
      return hash.finalize()
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: UInt64 = 0
    while true {
      let count = try file.read(into: &buffer, at: offset)
      hash.update(buffer[..<count])
      offset += UInt64(count)
      guard count == buffer.count else { return hash.finalize() }
    }
  }

  /// The password to protect the tag of `job` with, four bytes; nil where its row has none. Fails
  /// when the row is not what it was when `job` was read.
  package func password(of job: PlannedJob) throws(JobSourceError) -> [UInt8]? {
    guard job.hasPassword else { return nil }
    guard let row = row(of: job), let password = plan.password(in: row) else {
      throw changed(job, "password")
    }
    return password
  }

  /// The keys 0 to 4 that the tag of `job` gets; nil where rows have none. Fails when the row is
  /// not what it was when `job` was read.
  package func keys(of job: PlannedJob) throws(JobSourceError) -> [AESKey]? {
    guard !plan.header.keys.isEmpty else { return nil }
    guard let row = row(of: job), let keys = plan.keys(in: row) else { throw changed(job, "keys") }
    return keys
  }

  /// The password that the tag of `job` has before, and the keys 0 to 4; nil where its row has
  /// none. Fails when the row is not what it was when `job` was read.
  package func oldSecrets(
    of job: PlannedJob
  ) throws(JobSourceError) -> (password: [UInt8]?, keys: [AESKey]?) {
    guard plan.header.oldPassword != nil || !plan.header.oldKeys.isEmpty else { return (nil, nil) }
    guard let row = row(of: job) else { throw changed(job, "old-password") }
    return (plan.oldPassword(in: row), plan.oldKeys(in: row))
  }

  /// The row that `job` was made of; nil where another stands there now.
  private func row(of job: PlannedJob) -> RawRow? {
    var rows = rows(from: LinePlace(line: job.line, offset: job.offset))
    guard case .success(let row)? = rows?.next(),
      let same = try? plan.job(row, number: job.number), same.digest == job.digest
    else { return nil }
    return row
  }

  private func changed(_ job: PlannedJob, _ what: String) -> JobSourceError {
    JobSourceError(
      .badInput,
      "Line \(job.line) of the job list has changed since the journal took it; its \(what) cannot be read."
    )
  }

  private func rows(from place: LinePlace) -> TableRows? {
    file.map {
      TableRows(
        $0, delimiter: delimiter, quote: delimiter == 0 ? 0 : UInt8(ascii: "\""),
        names: columns, from: place)
    }
  }

  package func forEachRow<Failure: Error>(
    _ body: (Result<RawRow, RowError>) throws(Failure) -> Void
  ) throws(Failure) {
    if case .range(let range) = input {
      for number in 1...range.numbers.count {
        try body(
          .success(RawRow(line: number, offset: 0, fields: [range.code(number)])))
      }
    } else if var rows = rows(from: start) {
      while let row = rows.next() { try body(row) }
      blank.withLock { $0 = rows.blank }
    }
  }
}
