import Bytes
import Foundation
import LedgerSQLite

/// Which finished tags have no row yet: nine bytes a job, so that a million are no burden.
struct MissingLabels {
  /// By job number, from 1: something that stands for the tag's UID; 0 for a job that is not
  /// finished.
  private var marks: [UInt64]
  private var isMissing: [Bool]

  /// The finished tags, but for those of other sessions that run: they append their rows
  /// themselves.
  init(for session: JournalSession, file: Int64) throws(JournalError) {
    var (marks, isMissing): ([UInt64], [Bool]) = ([0], [false])
    try session.journal.forEachLabel(of: file, besides: session) { count in
      marks = Array(repeating: 0, count: count + 1)
      isMissing = Array(repeating: false, count: count + 1)
    } _: { job, uid, hasRow in
      guard marks.indices.contains(job) else { return }
      (marks[job], isMissing[job]) = (Self.mark(uid), !hasRow)
    }
    (self.marks, self.isMissing) = (marks, isMissing)
  }

  /// Notes that a row is there; returns its job, nil for a row of no finished tag.
  mutating func strike(_ fields: [String]) -> Int? {
    guard fields.count > 2, let job = Int(fields[0]), marks.indices.contains(job),
      let uid = try? Hex.bytes(fields[2]), marks[job] == Self.mark(uid)
    else { return nil }
    isMissing[job] = false
    return job
  }

  func contains(_ written: WrittenTag) -> Bool {
    isMissing.indices.contains(written.job.number) && isMissing[written.job.number]
  }

  /// FNV-1a; never 0.
  private static func mark(_ uid: some Sequence<UInt8>) -> UInt64 {
    uid.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }
}
