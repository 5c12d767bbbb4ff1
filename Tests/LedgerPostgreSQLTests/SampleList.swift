import Foundation
import HubKit
import JobLists

@testable import LedgerSQLite
@testable import Provisioning

/// A list as a bench has it, without a file.
enum SampleList {
  /// `code`: the job's own by default.
  static func job(_ number: Int, code: Int? = nil) -> PlannedJob {
    let code = code ?? number
    return PlannedJob(
      number: number, line: number + 1, offset: UInt64(number * 10), name: "CODE-\(code)",
      message: MessageTemplate(records: [
        .init(option: "uri", text: "https://example.com/t/\(code)")
      ]), tagType: nil, locks: false, hasPassword: false,
      columns: [.init(name: "code", value: "\(code)")])
  }

  static func message(_ job: Int) -> [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: job >> (($0 % 4) * 8)) }
  }

  static let source = SourceDescription(
    kind: "csv", name: "jobs.csv", settings: [.init("tag", "any")])

  /// Adopts the list of these codes.
  static func adopt(
    _ codes: some Sequence<Int>, into journal: Journal, _ extending: Bool,
    as source: SourceDescription = source
  ) throws(JournalError) {
    _ = try journal.adopt(source, extending: extending) { (adopt) throws(JournalError) in
      for (index, code) in codes.enumerated() {
        try adopt(job(index + 1, code: code))
      }
    }
  }

  static let template = "https://example.com/t/{code}"

  /// The list of these codes as a hub gets it.
  static func ofHub(_ codes: ClosedRange<Int>, id: String = "A17") -> HubList {
    let rows = codes.map { "A\($0);room \($0)\n" }.joined()
    return HubList(id: id, csv: "code;room\n" + rows, template: template, tagType: "ntag213")
  }
}
