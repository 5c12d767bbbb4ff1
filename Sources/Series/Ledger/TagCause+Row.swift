extension TagCause {
  /// The cause's row of the table. One without a row does not compile.
  package var row: Row {
    switch self {
    case .lost: .lost
    case .noTag: .noTag
    case .reader: .reader
    case .refused: .refused
    case .mismatch: .mismatch
    case .interrupted: .interrupted
    case .internalError: .internalError
    case .unsuited: .unsuited
    case .written: .written
    case .scrap: .scrap
    case .foreign: .foreign
    case .copy: .copy
    case .changed: .changed
    case .unread: .unread
    case .wrongType: .wrongType
    case .randomUID: .randomUID
    case .notGenuine: .notGenuine
    case .double: .double
    case .noMatch: .noMatch
    case .otherJournal: .otherJournal
    case .notListed: .notListed
    case .journal: .journal
    case .database: .database
    case .outrun: .outrun
    case .noJob: .noJob
    case .noScan: .noScan
    case .inUse: .inUse
    case .defectiveJob: .defectiveJob
    case .released: .released
    case .conflict: .conflict
    case .elsewhere: .elsewhere
    case .pool: .pool
    case .restored: .restored
    case .reset: .reset
    case .label: .label
    case .inspection: .inspection
    case .unknown: .unknown
    case .inspectFirst: .inspectFirst
    }
  }

  /// What is said of a word that is none of these.
  package static let unnamed = Row("for another reason", "Not named")

  /// Where a tag goes that did not pass, and why, in words of the line.
  package struct Advice: Hashable, Sendable {
    package let bin: TagBin
    /// Where it goes, in two or three words: `try it again`.
    package let order: String
    /// Why, in a clause.
    package let reason: String

    init(_ bin: TagBin, _ order: String, _ reason: String) {
      (self.bin, self.order, self.reason) = (bin, order, reason)
    }

    static func again(_ reason: String) -> Self {
      Self(.again, "try it again", reason)
    }
    static func aside(_ reason: String) -> Self { Self(.aside, "set it aside", reason) }
    static func bin(_ reason: String) -> Self { Self(.bin, "bin it", reason) }
  }

  /// All that is said of a cause, and how it counts.
  package struct Row: Hashable, Sendable {
    /// Behind a number of tags: `2 removed too early`.
    package let counted: String
    /// Above a figure: `Removed too early`.
    package let title: String
    /// Of a tag whose job, if it had one, goes to the next tag.
    package var failed = Advice.aside("it failed; the report says why")
    /// Of a tag that was left alone.
    package var left = Advice.aside("it was not changed; the report says why")
    /// Of a tag that is only read; nil: as of one that was left alone.
    var onlyRead: Advice?
    /// Why a tag is to be laid down again that may hold its job.
    package var held = "it may hold its job"
    /// Where such a tag goes.
    package var heldBin = TagBin.again
    /// Why a tag is worn.
    package var worn = "it is damaged"
    /// How an event counts that ends a job's work on a tag.
    package var begun = EventCount.failure
    /// How one counts that says of a tag on which no job was begun.
    package var untouched = EventCount.leftAlone

    /// Of a tag that is only read.
    package var read: Advice { onlyRead ?? left }

    init(_ counted: String, _ title: String, _ change: (inout Row) -> Void = { _ in }) {
      (self.counted, self.title) = (counted, title)
      change(&self)
    }
  }
}
