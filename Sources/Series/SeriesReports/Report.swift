import Foundation
import JobLists
import Ledger
import LedgerSQLite
import TagMemory

/// A report says what a journal holds: figures of a series, for people who did not stand at the
/// bench. A pure value.
public struct Report: Hashable, Sendable {
  /// A run of the program.
  package struct Session: Hashable, Sendable {
    package var number = 0
    package var operatorName = ""
    package var host = ""
    package var version = ""
    package var begun = Date.distantPast
    /// Nil while it runs, and still nil when it was cut off.
    package var ended: Date?
    package var written = 0
    package var failed = 0
  }

  /// How one reader did.
  package struct Reader: Hashable, Sendable {
    package var name = ""
    /// The stations that had it.
    package var stations = ""
    package var written = 0
    package var failed = 0
    package var left = 0
    /// Of a finished tag.
    package var meanDuration = Duration.zero

    /// Finished tags of all on which work was begun.
    package var yield: Double? { Figures.share(written, of: written + failed) }
  }

  /// A stretch of time.
  package struct Period: Hashable, Sendable {
    package var start = Date.distantPast
    package var written = 0
    package var failed = 0
  }

  /// Keys that finished tags were given: which, said without a secret, and how many tags.
  package struct Keys: Hashable, Sendable {
    package var identity: KeyRing.Identity
    package var tags: Int
  }

  /// A part of the work on finished tags.
  package struct Step: Hashable, Sendable {
    package var name = ""
    /// How many finished tags had it.
    package var count = 0
    /// Over all finished tags, those without it included.
    package var mean = Duration.zero
    package var longest = Duration.zero
  }

  /// The journal's path as it was given.
  package internal(set) var journal = ""
  package internal(set) var created = Date.distantPast
  package internal(set) var source: SourceDescription?
  /// How many jobs are in which state.
  public internal(set) var tally = Tally()
  package internal(set) var sessions: [Session] = []
  /// When the first tag came, and the last went.
  package internal(set) var first: Date?
  package internal(set) var last: Date?
  /// How many tags were good, failed or were left alone.
  package internal(set) var figures = Figures()
  /// How many tags are good now, by type, as `sim:` calls it; empty: the type was not told.
  package internal(set) var goodTypes: [String: Int] = [:]
  /// Times that a job was released.
  package internal(set) var releases = 0
  package internal(set) var readers: [Reader] = []
  /// In order, without gaps.
  package internal(set) var periods: [Period] = []
  package internal(set) var periodLength = Duration.zero
  /// The slowest first.
  package internal(set) var steps: [Step] = []
  /// Of a finished tag.
  package internal(set) var meanDuration = Duration.zero
  package internal(set) var longestDuration = Duration.zero
  /// Each operator's stretches of work, in the order in which they began.
  package internal(set) var shifts: [Shift] = []
  /// When no tag lay on any reader for long.
  package internal(set) var pauses: [Pause] = []
  /// Scrap: all tags that are not to be used.
  package internal(set) var scrap = SetAsideList()
  /// Those of them that are worn or damaged.
  package internal(set) var worn = SetAsideList()
  /// Those of them whose job was given to another tag on the operator's word: they may hold it.
  package internal(set) var released = SetAsideList()
  /// When the list was taken up.
  package internal(set) var adopted: Date?
  /// The list's own columns, passwords left out.
  package internal(set) var columns: [String] = []
  /// SHA-256 over the digests of the rows, in hexadecimal; passwords are not in it.
  package internal(set) var listDigest: String?
  /// Finished tags that are read-only for good, and those with a password.
  package internal(set) var locked = 0
  package internal(set) var protected = 0
  /// Tags from the field that hold again what they held before their change.
  package internal(set) var putBack = 0
  package internal(set) var reserved: [ReservedTag] = []
  /// Which keys finished tags were given, and how many tags.
  package internal(set) var keys: [Keys] = []
  /// What inspections of finished tags have found.
  package internal(set) var inspections = InspectionFigures()
  /// What is known of printed labels.
  package internal(set) var prints = OpenPrints()
  /// What the journal holds, as `journal prove` signs it.
  package internal(set) var head: SeriesHead?
  /// The inconsistencies are what contradicts itself in the journal; empty in a good one.
  public internal(set) var inconsistencies: [Inconsistency] = []

  init() {}

  /// The number of times that work on a tag ended, well or badly.
  package var attempts: Int { figures.attempts }
  /// Those of them that were good.
  package var successes: Int { figures.successes }
  package var failed: Int { figures.all.failed }
  /// Times that a tag was left alone.
  package var leftAlone: Int { figures.all.left }
  /// Good attempts of all.
  package var yield: Double? { figures.yield }
  /// What attempts failed of, the most frequent first.
  package var failures: [Figures.NamedCause] { figures.failures.ranked }
  /// Why tags were left alone.
  package var reasons: [Figures.NamedCause] { figures.reasons.ranked }
  /// Times that a tag was presented, and releases: the rows on tags.
  package internal(set) var presented = 0
  /// Is true if every job is on a tag, and no tag was put back.
  public var isComplete: Bool {
    tally.jobs > 0 && tally.written == tally.jobs && putBack == 0
  }
  package var operators: [String] {
    sessions.reduce(into: []) { if !$0.contains($1.operatorName) { $0.append($1.operatorName) } }
  }
}
