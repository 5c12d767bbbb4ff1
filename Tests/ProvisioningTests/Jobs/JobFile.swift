import Foundation

@testable import JobLists

/// A file for one test, gone with the value.
final class JobFile {
  let path: String

  init(_ bytes: some Sequence<UInt8>) throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "jobs-\(UUID().uuidString).csv").path()
    try Data(bytes).write(to: URL(filePath: path))
  }

  convenience init(_ text: String) throws { try self.init(text.utf8) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The file as a table whose rows make `records`: an option and a template each.
  func table(_ records: (String, String)..., locks: Bool = false, tag: String? = nil) throws
    -> JobSource
  {
    try JobSource(.table(path), settings(records, locks, tag))
  }

  func codes(_ records: (String, String)...) throws -> JobSource {
    try JobSource(.codes(path), settings(records, false, nil))
  }
}

func settings(
  _ records: [(String, String)], _ locks: Bool = false, _ tag: String? = nil
) -> JobSource.Settings {
  var settings = JobSource.Settings()
  if !records.isEmpty {
    settings.message = MessageTemplate(
      records: records.map { MessageTemplate.Record(option: $0.0, text: $0.1) })
  }
  settings.locks = locks
  settings.tagType = tag
  return settings
}

extension JobSource {
  /// All rows.
  var rows: [Result<PlannedJob, RowError>] {
    var rows: [Result<PlannedJob, RowError>] = []
    forEachJob { rows.append($0) }
    return rows
  }

  /// The rows without a mistake.
  var jobs: [PlannedJob] { rows.compactMap { try? $0.get() } }

  /// What is wrong with the others.
  var problems: [String] {
    rows.compactMap { if case .failure(let problem) = $0 { problem.description } else { nil } }
  }

  /// The text of each job's first record.
  var texts: [String] { jobs.map { $0.message.records[0].text } }
}
