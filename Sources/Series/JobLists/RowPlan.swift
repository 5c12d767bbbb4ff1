import Bytes
import CardCrypto
import NDEF
import RecordText
import TagMemory

/// What makes a job of a row.
package struct RowPlan: Sendable {
  package let header: Header
  private let records: [RowTemplate]
  /// The files that the message's records name, read once.
  let files = MessageFiles()
  /// What is to be said of the columns and of the message.
  let remarks: [ListRemark]
  /// The columns whose values go onto tags, or name jobs.
  private let shown: Set<Int>
  private let tagType: String?
  private let locks: Bool
  private let content: ContentRule?
  /// Is true if each row names a file with the memory that its tag gets.
  package let writesImages: Bool

  init(_ header: Header, _ settings: JobSource.Settings) throws(JobSourceError) {
    var header = header
    try header.takeKeys(settings.keyColumns, old: settings.oldKeyColumns)
    self.header = header
    let message: MessageTemplate
    if let given = settings.message, !given.records.isEmpty {
      message = given
    } else if header.image != nil {
      message = MessageTemplate(records: [])
    } else if let url = header.url {
      message = MessageTemplate(records: [.init(option: "uri", text: "{\(header.names[url])}")])
    } else {
      throw JobSourceError(
        .badInput,
        "The list has no column \u{201C}url\u{201D}, and no message uses its columns: \(header.listed).",
        template: ListRemark.template(for: header))
    }
    do throws(RecordTextError) {
      records = try Self.templates(message, header)
    } catch {
      throw JobSourceError(.badInput, error.message)
    }
    writesImages = try Self.writesImages(header, records, settings)
    shown = Set(
      records.flatMap(\.columns)
        + [header.code, writesImages ? header.image : nil].compactMap(\.self))
    remarks = ListRemark.of(header, shown: shown) + ListRemark.of(message)
    tagType = try settings.tagType.map { type throws(JobSourceError) in
      guard let name = Self.tagType(type) else {
        throw JobSourceError(.usage, Self.unknown(type))
      }
      return name
    }
    (locks, content) = (settings.locks, settings.content)
  }

  /// The job of a row. Its texts are not looked at further: see `JobCheck`.
  package func job(_ row: RawRow, number: Int) throws(RowError) -> PlannedJob {
    var row = row
    try fit(&row)
    try checkValues(row)
    let (template, type) = try template(row)
    try check(template, of: row, number)
    let code = header.code.map { row.fields[$0] } ?? ""
    let columns = header.names.indices.filter { !header.secrets.contains($0) }
      .map { PlannedJob.Column(name: header.names[$0], value: row.fields[$0]) }
    let locks = try self.locks(row)
    let uid = try self.uid(row)
    let hasPassword = try checkPassword(row, header.password)
    try checkOldPassword(row, of: type)
    try checkKeys(row)
    return PlannedJob(
      number: number, line: row.line, offset: row.offset,
      name: Escaped.line(code.isEmpty ? template.title ?? "" : code), message: template,
      tagType: type, uid: uid, locks: locks, hasPassword: hasPassword,
      columns: columns)
  }

  /// Returns the message or memory that the row's tag gets, and the type that the tag must have.
  private func template(_ row: RawRow) throws(RowError) -> (MessageTemplate, type: String?) {
    let type = try self.type(row)
    guard writesImages, let column = header.image else {
      var message: [MessageTemplate.Record] = []
      for record in records { message.append(try record.record(row, header)) }
      return (MessageTemplate(records: message), type)
    }
    guard !row.fields[column].isEmpty else {
      throw RowError(line: row.line, column: header.names[column], "It is empty.")
    }
    do throws(RecordTextError) {
      return try MessageTemplate.image(at: row.fields[column], for: type, files: files)
    } catch {
      throw RowError(
        line: row.line, column: header.names[column], isUnreadableFile: error.kind == .noInput,
        error.message)
    }
  }

  /// The password in a row that `job` has been made of: the one that the tag gets.
  func password(in row: RawRow) -> [UInt8]? { password(in: row, header.password) }

  /// The one that the tag has before.
  func oldPassword(in row: RawRow) -> [UInt8]? { password(in: row, header.oldPassword) }

  private func password(in row: RawRow, _ column: Int?) -> [UInt8]? {
    guard let index = column, row.fields.indices.contains(index),
      let bytes = try? Hex.bytes(row.fields[index]),
      [4, Type2Key.byteCount].contains(bytes.count)
    else { return nil }
    return bytes
  }

  /// The keys 0 to 4 in a row that `job` has been made of: those that the tag gets; nil where it
  /// has none.
  func keys(in row: RawRow) -> [AESKey]? { keys(in: row, header.keys) }

  /// Those that the tag has before.
  func oldKeys(in row: RawRow) -> [AESKey]? { keys(in: row, header.oldKeys) }

  private func keys(in row: RawRow, _ columns: [Int]) -> [AESKey]? {
    let keys = columns.compactMap { index in
      row.fields.indices.contains(index)
        ? (try? Hex.bytes(row.fields[index])).flatMap { AESKey($0) } : nil
    }
    return keys.count == KeyRing.keyNumbers.count ? keys : nil
  }

  /// Holds the links of a row's message to what was asked for.
  private func check(
    _ message: MessageTemplate, of row: RawRow, _ number: Int
  ) throws(RowError) {
    guard let content else { return }
    let links = MessageTemplate(
      records: message.records.filter { ["uri", "smart-poster"].contains($0.option) })
    let refusal: String?
    do throws(RecordTextError) {
      guard !links.records.isEmpty else { throw RecordTextError(.badInput, "It has no link.") }
      refusal = try links.message(
        for: .longest(uidByteCount: 7, number: number), files: files
      ).links.lazy.compactMap(content.refusal).first
    } catch {
      throw RowError(line: row.line, error.message)
    }
    if let refusal { throw RowError(line: row.line, refusal) }
  }

  // MARK: Columns

  /// Returns whether rows are whole memories; fails for what has no meaning beside them. A template
  /// may have a column of that name for its own ends, where it names it.
  private static func writesImages(
    _ header: Header, _ records: [RowTemplate], _ settings: JobSource.Settings
  ) throws(JobSourceError) -> Bool {
    guard let image = header.image, !records.contains(where: { $0.columns.contains(image) }) else {
      return false
    }
    func refusal(_ what: String) -> JobSourceError {
      JobSourceError(
        .badInput,
        "The list has the column \(RecordTextError.quoted(header.names[image])), whose files are whole memories: \(what)."
      )
    }
    guard records.isEmpty else {
      throw refusal(
        "no message goes beside it. Leave the template out, or give the column another name")
    }
    let others = [header.url, header.lock].compactMap(\.self) + header.secrets.sorted()
    if let other = others.first {
      throw refusal(
        "the column \(RecordTextError.quoted(header.names[other])) has no place beside it")
    }
    if settings.locks { throw refusal("no tag is locked after it") }
    if settings.content != nil { throw refusal("no link in it is held to a rule") }
    return true
  }

  /// Empty fields at a row's end are of no account, with or without a column.
  private func fit(_ row: inout RawRow) throws(RowError) {
    let count = header.names.count
    while row.fields.count > count, row.fields.last == "" { row.fields.removeLast() }
    guard row.fields.count == count else {
      throw RowError(
        line: row.line,
        "The row has \(counted(row.fields.count, "field")), the header \(count)."
          + (row.fields.count > count ? " \(RowError.quoting)" : "")
      )
    }
  }

  /// What a spreadsheet has left of a value is none.
  private func checkValues(_ row: RawRow) throws(RowError) {
    for index in shown {
      guard let fault = SpreadsheetFault(row.fields[index]) else { continue }
      throw RowError(line: row.line, column: header.names[index], fault.sentence)
    }
  }

  private func type(_ row: RawRow) throws(RowError) -> String? {
    guard let index = header.tag, !row.fields[index].isEmpty else { return tagType }
    guard let name = Self.tagType(row.fields[index]) else {
      throw RowError(
        line: row.line, column: header.names[index], Self.unknown(row.fields[index]))
    }
    return name
  }

  private func locks(_ row: RawRow) throws(RowError) -> Bool {
    guard let index = header.lock, !row.fields[index].isEmpty else { return locks }
    switch row.fields[index].lowercased() {
    case "yes", "true", "1": return true
    case "no", "false", "0": return false
    default:
      throw RowError(
        line: row.line, column: header.names[index],
        "It is yes or no, true or false, 1 or 0, not \(RecordTextError.quoted(row.fields[index])).")
    }
  }

  /// The tag that the row is for.
  private func uid(_ row: RawRow) throws(RowError) -> UID? {
    guard let index = header.uid else { return nil }
    let (text, name) = (row.fields[index], header.names[index])
    func refusal(_ reason: String) -> RowError {
      RowError(
        line: row.line, column: name,
        "\(reason) Each row names its tag there; give the column another name if it has something else."
      )
    }
    guard !text.isEmpty else { throw refusal("It is empty.") }
    if let fault = SpreadsheetFault(text) {
      throw RowError(line: row.line, column: name, fault.sentence)
    }
    let uid: UID
    do throws(RowError) { uid = try UID(listed: text) } catch { throw refusal(error.message) }
    guard !uid.isRandom else {
      throw RowError(
        line: row.line, column: name,
        "\(uid) is a random UID: four bytes, the first of them 08. Such a tag has another one each time, so that no row can be for it."
      )
    }
    return uid
  }

  private func checkOldPassword(_ row: RawRow, of type: String?) throws(RowError) {
    guard let index = header.oldPassword, try checkPassword(row, index),
      let product = type.flatMap(Product.named),
      product.secretByteCount != oldPassword(in: row)?.count
    else { return }
    throw RowError(
      line: row.line, column: header.names[index], "\(product) is opened by no such password.")
  }

  private func checkPassword(_ row: RawRow, _ column: Int?) throws(RowError) -> Bool {
    guard let index = column, !row.fields[index].isEmpty else { return false }
    guard password(in: row, index) != nil else {
      throw RowError(
        line: row.line, column: header.names[index],
        "A password has 8 hexadecimal digits, the key of an Ultralight C or AES 32.")
    }
    return true
  }

  private func checkKeys(_ row: RawRow) throws(RowError) {
    for index in header.keys + header.oldKeys {
      guard let bytes = try? Hex.bytes(row.fields[index]), AESKey(bytes) != nil else {
        throw RowError(
          line: row.line, column: header.names[index], "A key has 32 hexadecimal digits.")
      }
    }
  }

  /// The product's name for what a list calls a tag's type; nil for no product.
  private static func tagType(_ text: String) -> String? {
    types[text.lowercased()]
  }

  /// The names there are; one is of the same memory with a longer UID.
  private static let types = Dictionary(
    Product.all.map { ($0.name, $0.name) } + [("classic1k7b", Product.classic1K.name)],
    uniquingKeysWith: { first, _ in first })

  private static func unknown(_ type: String) -> String {
    "\(RecordTextError.quoted(type)) is not a tag type; types are ntag213, ntag215, ntag216, ultralight, classic1k and others."
  }

  // MARK: Message

  private static func templates(
    _ message: MessageTemplate, _ header: Header
  ) throws(RecordTextError) -> [RowTemplate] {
    var templates: [RowTemplate] = []
    for record in message.records { templates.append(try RowTemplate(record, header: header)) }
    return templates
  }
}
