import Foundation
import TagMemory

/// A job as a journal has it now, and the tag that it is on.
public struct JournalRow: Hashable, Sendable {
  /// How a job stands.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// No tag has it yet.
    case pending
    /// A tag may hold it; it is not finished.
    case reserved
    /// A tag holds it, read back.
    case written
    /// No message could be made of its row.
    case failed
  }

  /// The number of the job, from 1.
  public let job: Int
  /// People call the job by this name.
  public let name: String
  /// How the job stands.
  public let verdict: Verdict
  /// The tag that holds it, or is kept for it; nil where there is none.
  public let uid: UID?
  /// The tag's type, as `sim:` calls it; nil where it is not known.
  public let tagType: String?
  /// The first link of the message on the tag; nil where it has none, and where there is no tag.
  public let uri: String?
  /// The length of that message in bytes; nil where there is no tag.
  public let length: Int?
  /// Is true if the tag was made read-only; nil where there is none.
  public let isLocked: Bool?
  /// Is true if the tag got a password; nil where there is none.
  public let isProtected: Bool?
  /// When the verdict was come to; nil for a pending job.
  public let time: Date?
  /// What went wrong with it last, where it is not written.
  public let trouble: TagTrouble?
}

extension JournalRow {
  /// The row of a job; nil for a tag's.
  init?(_ row: ReportRow) {
    guard row.subject == .job, let job = row.job, let verdict = Verdict(rawValue: row.outcome)
    else { return nil }
    (self.job, name, self.verdict) = (job, row.name ?? "", verdict)
    (uid, tagType, uri, length) = (row.uid, row.tagType, row.uri, row.length)
    (isLocked, isProtected, time, trouble) = (
      row.isLocked, row.isProtected, row.time, row.trouble
    )
  }
}

extension Journal {
  /// Returns every job, in the order of the list, as they stand at one moment. Throws where the
  /// journal cannot be read.
  ///
  ///     for row in try Journal(at: "jobs.csv.journal", access: .readOnly).rows() {
  ///       print(row.job, row.uid?.description ?? "", row.verdict.rawValue)
  ///     }
  public func rows() throws(JournalError) -> [JournalRow] {
    try reading { reading in
      var rows: [JournalRow] = []
      try reading.forEachRow { row in
        if let row = JournalRow(row) { rows.append(row) }
      }
      return rows
    }
  }
}
