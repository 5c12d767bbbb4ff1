import Foundation
import LedgerSQLite

/// The fields of a label file: what the program knows of the tag, then the columns of the job's
/// row.
enum LabelRow {
  static let own = [
    "job", "name", "uid", "tag", "uri", "written", "locked", "protected", "station", "reader",
  ]
  /// Files of the first version do not say where a tag lay; they go on as they began.
  static let earlier = Array(own.prefix(8))

  /// A column of the source that is called as one of ours is `row.NAME`.
  static func header(_ columns: [String], _ own: [String] = own) -> [String] {
    own + columns.map { own.contains($0) ? "row.\($0)" : $0 }
  }

  /// The row of a tag in a file with this header.
  static func fields(_ written: WrittenTag, _ header: [String]) -> [String] {
    let values = Dictionary(written.job.columns.map { ($0.name, $0.value) }) { first, _ in first }
    let ours = [
      "\(written.job.number)", written.job.name, written.uid.hex, written.tagType ?? "",
      written.uri ?? "", written.when.formatted(.iso8601), written.isLocked ? "yes" : "no",
      written.isProtected ? "yes" : "no", written.station, written.reader,
    ]
    let count = header.starts(with: own) ? own.count : earlier.count
    return ours.prefix(count)
      + header.dropFirst(count).map { name in
        values[name] ?? (name.hasPrefix("row.") ? values[String(name.dropFirst(4))] : nil) ?? ""
      }
  }
}
