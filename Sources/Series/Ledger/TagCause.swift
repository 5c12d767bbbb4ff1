/// Why a tag was not finished, or was left alone. Stable words: programs and stores have them.
///
/// What people are told of each, where the hand puts the tag and how it counts stands in one table
/// (`row`).
package enum TagCause: String, Hashable, Sendable, CaseIterable {
  // What work on a tag ended with.
  case lost, refused, mismatch, reader, interrupted
  case noTag = "no-tag"
  case internalError = "internal"
  // What the tag is, or holds.
  case unsuited, written, scrap, foreign, copy, changed, unread
  case wrongType = "wrong-type"
  case randomUID = "random-uid"
  case notGenuine = "not-genuine"
  case double
  case noMatch = "no-match"
  case otherJournal = "other-journal"
  case notListed = "not-listed"
  // What keeps a tag from getting a job.
  case journal, database, outrun
  case noJob = "no-job"
  case noScan = "no-scan"
  case inUse = "in-use"
  case defectiveJob = "defective-job"
  // What others have decided about it.
  case released, conflict, elsewhere, pool, restored, reset
  /// Its printed label was scanned, and is another's; or it was not scanned.
  case label
  // What an inspection has found, or waits for.
  case inspection, unknown
  case inspectFirst = "inspect-first"
}
