import Bytes
import Foundation
import LedgerSQLite
import TagMemory
import TagProgramming

/// The row of a tag that was read. The columns `uid`, `tag` and `url` are those of job lists.
struct CollectedRow {
  static let header = [
    "uid", "tag", "url", "message", "content", "status", "capacity", "protected", "signature",
    "readings", "station", "reader", "time",
  ]

  let fields: [String]

  /// `station` and `reader`: where the tag lay.
  init(_ report: TagReport, _ uid: UID, at time: Date, station: String, reader: String) {
    let message = report.content.stored ?? []
    fields = [
      uid.hex, report.product?.name ?? "", JournalSession.link(in: message) ?? "",
      Hex.string(message), report.content.name, report.status?.rawValue ?? "",
      report.capacity.map(String.init) ?? "",
      report.isPasswordProtected.map { $0 ? "yes" : "no" } ?? "",
      report.origin.map { "\($0)" } ?? "", Self.counters(report), station, reader,
      time.formatted(.iso8601),
    ]
  }

  /// The tag of a row; nil where it names none.
  static func tag(in fields: [String]) -> CollectedFile.Tag? {
    guard fields.count == header.count, let uid = try? Hex.bytes(fields[0]), !uid.isEmpty else {
      return nil
    }
    return CollectedFile.Tag(
      uid: UID(uid), message: (try? Hex.bytes(fields[3])) ?? [],
      type: fields[1].isEmpty ? nil : fields[1],
      isProtected: fields[7].isEmpty ? nil : fields[7] == "yes")
  }

  /// The tag of a row without a line feed; nil where more is missing. A time ends with a Z.
  static func lastTag(in fields: [String]) -> CollectedFile.Tag? {
    fields.last?.hasSuffix("Z") == true ? tag(in: fields) : nil
  }

  /// What `info` says of the tag's counters.
  private static func counters(_ report: TagReport) -> String {
    report.details.filter { $0.label.contains("counter") }.map(\.text).joined(separator: "; ")
  }
}
