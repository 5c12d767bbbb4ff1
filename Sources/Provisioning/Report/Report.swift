import Foundation

/// What a journal holds: figures of a series, for people who did not stand at the bench. A pure
/// value.
public struct Report: Hashable, Sendable {
  /// A run of the program.
  public struct Session: Hashable, Sendable {
    public var number = 0
    public var operatorName = ""
    public var host = ""
    public var version = ""
    public var begun = Date.distantPast
    /// Nil while it runs, and for ever when it was cut off.
    public var ended: Date?
    public var written = 0
    public var failed = 0
  }

  /// Why tags were not finished, or left alone.
  public struct Cause: Hashable, Sendable {
    public var name = ""
    public var count = 0
    /// What was said the first time.
    public var example = ""
  }

  /// How one reader did.
  public struct Reader: Hashable, Sendable {
    public var name = ""
    /// The stations that had it.
    public var stations = ""
    public var written = 0
    public var failed = 0
    public var left = 0
    /// Of a finished tag.
    public var meanDuration = Duration.zero

    /// Finished tags of all on which work was begun.
    public var yield: Double? { Report.share(written, of: written + failed) }
  }

  /// A stretch of time.
  public struct Period: Hashable, Sendable {
    public var start = Date.distantPast
    public var written = 0
    public var failed = 0
  }

  /// A part of the work on finished tags.
  public struct Step: Hashable, Sendable {
    public var name = ""
    /// How many finished tags had it.
    public var count = 0
    /// Over all finished tags, those without it included.
    public var mean = Duration.zero
    public var longest = Duration.zero
  }

  /// The journal's path as it was given.
  public internal(set) var journal = ""
  public internal(set) var created = Date.distantPast
  public internal(set) var source: SourceDescription?
  public internal(set) var tally = Tally()
  public internal(set) var sessions: [Session] = []
  /// When the first tag came, and the last went.
  public internal(set) var first: Date?
  public internal(set) var last: Date?
  /// Times that work on a tag was begun and came to an end, good or bad.
  public internal(set) var attempts = 0
  /// Those of them that were good.
  public internal(set) var successes = 0
  /// Times that a tag was left alone.
  public internal(set) var leftAlone = 0
  /// Times that a job was released.
  public internal(set) var releases = 0
  /// What `attempts` failed of, the most frequent first.
  public internal(set) var failures: [Cause] = []
  /// Why tags were left alone.
  public internal(set) var reasons: [Cause] = []
  public internal(set) var readers: [Reader] = []
  /// In order, without gaps.
  public internal(set) var periods: [Period] = []
  public internal(set) var periodLength = Duration.zero
  /// The slowest first.
  public internal(set) var steps: [Step] = []
  /// Of a finished tag.
  public internal(set) var meanDuration = Duration.zero
  public internal(set) var longestDuration = Duration.zero
  /// Each operator's stretches of work, in the order in which they began.
  public internal(set) var shifts: [Shift] = []
  /// When no tag lay on any reader for long.
  public internal(set) var pauses: [Pause] = []
  /// Tags that are worn or damaged.
  public internal(set) var scrap = SetAsideList()
  /// Tags whose job was given to another on the operator's word: they may hold it.
  public internal(set) var released = SetAsideList()
  /// When the list was taken up.
  public internal(set) var adopted: Date?
  /// The list's own columns, passwords left out.
  public internal(set) var columns: [String] = []
  /// SHA-256 over the digests of the rows, in hexadecimal; passwords are not in it.
  public internal(set) var listDigest: String?
  /// Finished tags that are read-only for good, and those with a password.
  public internal(set) var locked = 0
  public internal(set) var protected = 0
  public internal(set) var reserved: [ReservedTag] = []
  public internal(set) var inconsistencies: [Inconsistency] = []

  init() {}

  public var failed: Int { attempts - successes }
  /// Good attempts of all.
  public var yield: Double? { Self.share(successes, of: attempts) }
  /// Times that a tag was presented, and releases: the rows on tags.
  public var presented: Int { attempts + leftAlone + releases }
  /// Whether every job is on a tag.
  public var isComplete: Bool { tally.jobs > 0 && tally.written == tally.jobs }
  public var operators: [String] {
    sessions.reduce(into: []) { if !$0.contains($1.operatorName) { $0.append($1.operatorName) } }
  }

  private static func share(_ part: Int, of whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}
