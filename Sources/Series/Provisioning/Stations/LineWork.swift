import JobLists
import LedgerSQLite

/// What the stations of a line do with the tags that come.
enum LineWork: Sendable {
  /// Each gets a job of the series.
  case jobs(LineSeries)
  /// Each is read, and nothing is written to it.
  case reading(TagCollection)
}

/// The series whose jobs a line puts on tags.
struct LineSeries: Sendable {
  let session: JournalSession
  let source: JobSource
  let labels: LabelFile?
  /// What prints a label for each tag.
  let printer: (any LabelPrinting)?
  /// What codes that are scanned choose.
  let picks: JobPicks?
  /// Is true if the journal was new when the line began: tags with messages of the list then are of
  /// another journal.
  let wasUntouched: Bool
  /// Finished tags that waited for their inspection when the line began.
  let dueBefore: [WrittenTag]
}
