import Bytes
import Foundation
import JobLists
import LedgerSQLite

/// A report as comma-separated values: a row for every job, then one for every tag that was
/// presented. Behind the columns of the report stand those of the list. It is written as the list
/// is.
package struct ReportCSV: ReportRenderer {
  private let columns: [String]
  private let dialect: TableDialect

  /// For a report's rows.
  package init(_ report: Report) {
    (columns, dialect) = (report.columns, report.source?.dialect ?? .plain)
  }

  static let own = [
    "row", "job", "name", "line", "outcome", "uid", "tag", "uri", "length", "sha256", "locked",
    "protected", "time", "duration_ms", "attempts", "station", "reader", "operator", "cause",
    "text", "keys", "inspection",
  ]

  /// A column of the list that is called as one of ours is `row.NAME`, as in a label file.
  var header: [String] {
    Self.own + columns.map { Self.own.contains($0) ? "row.\($0)" : $0 }
  }

  package func head(_ report: Report) -> String {
    String(
      decoding: dialect.opening + CSV.record(header, dividedBy: dialect.delimiter), as: UTF8.self)
  }

  package func row(_ row: ReportRow) -> String {
    var bytes: [UInt8] = []
    append(row, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  package func append(_ row: ReportRow, to text: inout [UInt8]) {
    let delimiter = dialect.delimiter
    func add(_ value: String?) {
      text.append(delimiter)
      if let value { CSV.append(value, dividedBy: delimiter, to: &text) }
    }
    func add(_ number: Int?) {
      text.append(delimiter)
      if let number { text += String(number).utf8 }
    }
    func add(_ bytes: [UInt8]?) {
      text.append(delimiter)
      for byte in bytes ?? [] {
        text.append(Self.digits[Int(byte >> 4)])
        text.append(Self.digits[Int(byte & 15)])
      }
    }
    func add(_ flag: Bool?) { add(flag.map { $0 ? "yes" : "no" }) }
    text += row.subject.rawValue.utf8
    add(row.job)
    add(row.name)
    add(row.line)
    add(row.outcome)
    add(row.uid?.bytes)
    add(row.tagType)
    add(row.uri)
    add(row.length)
    add(row.digest)
    add(row.isLocked)
    add(row.isProtected)
    text.append(delimiter)
    if let time = row.time { text += ReportTime(time).full }
    add(row.duration.map { String($0.reportMilliseconds) })
    add(row.attempts)
    add(row.station)
    add(row.reader)
    add(row.operatorName)
    add(row.trouble?.cause)
    add(row.trouble?.text)
    add(row.keys.map(\.description))
    add(row.inspection)
    for (index, name) in columns.enumerated() {
      // As a rule they stand in the header's order.
      let column =
        row.columns.indices.contains(index) && row.columns[index].name == name
        ? row.columns[index] : row.columns.first { $0.name == name }
      add(column?.value)
    }
    text.append(0x0A)
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

extension Duration {
  /// Milliseconds, to the thousandth.
  package var reportMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
