import Bytes
import CardCrypto
import Foundation
import GRDB
import JobLists
import LedgerSQLite

extension Report {
  /// What the list says of itself: its columns, and a digest by which two lists are told from each
  /// other.
  mutating func addList(_ db: Database) throws {
    if let adopted = try Int64.fetchOne(db, sql: "SELECT adopted_at FROM source") {
      self.adopted = Date(milliseconds: adopted)
    }
    // Rows that were added later may have another header, and each row's digest goes over its
    // columns.
    let texts = try String.fetchAll(
      db,
      sql: """
        SELECT columns FROM job WHERE number IN (SELECT min(number) FROM job UNION SELECT max(number) FROM job)
        ORDER BY number
        """)
    for text in texts {
      for (name, _) in try StoredPairs.read(text) where !columns.contains(name) {
        columns.append(name)
      }
    }
    let hash = SHA256()
    let digests = try Data.fetchCursor(db, sql: "SELECT row_digest FROM job ORDER BY number")
    while let digest = try digests.next() { hash.update(digest) }
    if tally.jobs > 0 { listDigest = Hex.string(hash.finalize()) }
    let row = try Row.fetchOne(
      db, sql: "SELECT sum(is_locked), sum(is_protected) FROM job WHERE state = 'written'")
    (locked, protected) = (row?[0] ?? 0, row?[1] ?? 0)
  }

  /// The settings of the series, by name: what shaped every tag.
  package var settings: [SourceDescription.Setting] {
    var settings: [SourceDescription.Setting] = []
    func add(_ name: String, _ value: String?) {
      if let value { settings.append(.init(name, value)) }
    }
    add("List", source.map { "\($0.name) (\($0.kind)), \(Self.number(tally.jobs, "job"))" })
    add("List taken up", adopted.map { "\($0.reportSecond) UTC" })
    add("Rows of the list, SHA-256", listDigest)
    if !columns.isEmpty { add("Columns", columns.joined(separator: ", ")) }
    let given = source?.settings ?? []
    for setting in given where setting.name.hasPrefix("record") {
      add("Template, \(setting.name)", setting.value)
    }
    if source != nil, !given.contains(where: { $0.name.hasPrefix("record") }) {
      add("Template", "the column url")
    }
    let others = given.filter { !$0.name.hasPrefix("record") }
    if source != nil {
      add("Tag", others.first { $0.name == "tag" }?.value ?? "any, or as the row says")
      add("Lock", others.first { $0.name == "lock" }?.value ?? "no, or as the row says")
    }
    for setting in others where setting.name != "tag" && setting.name != "lock" {
      add(setting.name, setting.value)
    }
    add("Tags by type", typeText)
    add("Tags locked", "\(Self.number(locked)) of \(Self.number(tally.written))")
    add("Tags with a password", "\(Self.number(protected)) of \(Self.number(tally.written))")
    for ring in keys { add("Keys of \(Self.number(ring.tags, "tag"))", "\(ring.identity)") }
    let found = inspections
    if found.good + found.bad + found.due > 0 { add("Inspections", inspectionText) }
    if let labelSetting { add("Labels", labelSetting) }
    let versions = sessions.reduce(into: [String]()) {
      if !$0.contains($1.version) { $0.append($1.version) }
    }
    if !versions.isEmpty { add("Program", "nfcprog " + versions.joined(separator: ", ")) }
    return settings
  }
}

/// Reads `[["name","value"],…]` as the journal has it.
enum StoredPairs {
  /// Without escapes a text is only split; a journal has as many as it has jobs.
  static func read(_ text: String) throws -> [(String, String)] {
    let bytes = Array(text.utf8)
    guard !bytes.contains(0x5C) else { return try StoredJob.pairs(text) }
    var strings: [String] = []
    var start: Int?
    for index in bytes.indices where bytes[index] == 0x22 {
      if let begin = start {
        strings.append(String(decoding: bytes[begin..<index], as: UTF8.self))
        start = nil
      } else {
        start = index + 1
      }
    }
    guard start == nil, strings.count % 2 == 0 else { return try StoredJob.pairs(text) }
    return stride(from: 0, to: strings.count, by: 2).map { (strings[$0], strings[$0 + 1]) }
  }
}
