import Foundation
import GRDB
import JSON
import JobLists

/// A planned job as a row of `job`. Texts in order, so that two rows of one job are alike byte for
/// byte.
package enum StoredJob {
  static let insertion = """
    INSERT INTO job (number, line, offset, name, records, wanted_tag, locks, has_password, columns, row_digest)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  static func values(_ job: PlannedJob) -> StatementArguments {
    let texts = texts(job)
    return [
      job.number, job.line, Int64(clamping: job.offset), job.name, texts.records, job.wanted.stored,
      job.locks, job.hasPassword, texts.columns, Data(job.digest),
    ]
  }

  /// The records and the columns of a job, as a row has them.
  package static func texts(_ job: PlannedJob) -> (records: String, columns: String) {
    (
      JSONText.pairs(job.message.records.lazy.map { ($0.option, $0.text) }),
      JSONText.pairs(job.columns.lazy.map { ($0.name, $0.value) })
    )
  }

  package static func job(_ row: Row) throws -> PlannedJob {
    let records = try pairs(row["records"]).map {
      MessageTemplate.Record(option: $0.0, text: $0.1)
    }
    let columns = try pairs(row["columns"]).map { PlannedJob.Column(name: $0.0, value: $0.1) }
    let offset: Int64 = row["offset"]
    let digest: Data = row["row_digest"]
    let wanted = WantedTag(stored: row["wanted_tag"])
    return PlannedJob(
      number: row["number"], line: row["line"], offset: UInt64(clamping: offset),
      name: row["name"], message: MessageTemplate(records: records), tagType: wanted.type,
      uid: wanted.uid, locks: row["locks"], hasPassword: row["has_password"], columns: columns,
      digest: Array(digest))
  }

  /// Reads `[["name","value"],…]`.
  package static func pairs(_ text: String) throws -> [(String, String)] {
    try JSONDecoder().decode([[String]].self, from: Data(text.utf8)).map {
      guard $0.count == 2 else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
      return ($0[0], $0[1])
    }
  }

  /// As `pairs`, of a text that the journal has as often as it has jobs: without escapes it is only
  /// split.
  package static func quickPairs(_ text: String) throws -> [(String, String)] {
    let bytes = Array(text.utf8)
    guard !bytes.contains(0x5C) else { return try pairs(text) }
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
    guard start == nil, strings.count % 2 == 0 else { return try pairs(text) }
    return stride(from: 0, to: strings.count, by: 2).map { (strings[$0], strings[$0 + 1]) }
  }
}
