import JobLists
import LedgerSQLite
import TagMemory

/// What the stations of a line do with the tags that come.
enum LineWork: Sendable {
  /// Each gets a job of the series.
  case jobs(LineSeries)
  /// Each is read, and nothing is written to it.
  case reading(TagCollection)
}

/// The series whose jobs a line puts on tags.
struct LineSeries: Sendable {
  /// Where its jobs come from.
  enum Source: Sendable {
    /// A list, of which each tag gets a row.
    case list(JobSource)
    /// What the tags hold: each gets what is made of that.
    case tags(TagChanges)
  }

  let session: JournalSession
  let source: Source
  let labels: LabelFile?
  /// What prints a label for each tag.
  let printer: (any LabelPrinting)?
  /// What codes that are scanned choose.
  let picks: JobPicks?
  /// What is scanned of printed labels; nil: nothing is.
  let labelScans: LabelScans?
  /// Finished tags that waited for their inspection when the line began.
  let dueBefore: [WrittenTag]

  /// Is true if the list has the passwords that tags come with.
  var opensTags: Bool { if case .list(let source) = source { source.opensTags } else { false } }

  /// The password that the list says the tag with `uid` has before it gets its job; nil: none.
  func oldPassword(of uid: UID) -> [UInt8]? {
    guard case .list(let source) = source,
      case .row(let row)? = try? session.journal.row(for: uid)
    else { return nil }
    return (try? source.oldSecrets(of: row))?.password
  }

  /// How many jobs no tag has yet.
  func jobsLeft() throws(JournalError) -> Int {
    guard case .tags(let changes) = source else { return try session.journal.jobsLeft() }
    return changes.isBack ? try session.journal.changedTags() : 0
  }

  /// Tags that were to get back what they held, and that nobody can put back.
  func lostTags() throws(JournalError) -> [UID] {
    guard case .tags(let changes) = source, changes.isBack else { return [] }
    return try session.journal.lostTags()
  }
}
