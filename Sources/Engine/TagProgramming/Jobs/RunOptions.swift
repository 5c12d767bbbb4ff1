import Readers
import TagMemory

/// The options hold for every job of a run.
public struct RunOptions: Sendable {
  /// How long to wait for a tag; zero is one look.
  public var timeout = Duration.seconds(30)
  /// Survey and plan, write nothing.
  public var dryRun = false
  /// Keys and passwords that the tag may ask for.
  public var credentials = Credentials()
  /// The password or key that a list has for a tag, which goes before that of `credentials`.
  package var listedSecret: (@Sendable (UID) -> [UInt8]?)?
  /// Keeps a password from tags that did not take it before; nil: each job tries it.
  package var refusedPasswords: RefusedPasswords?
  /// Is true if a decision goes by the tag's whole memory, and not by its message alone.
  package var surveysMemory = false
  /// Is true if `info` asks the tag for its counters, too.
  package var readsCounters = false
  /// How long a tag that went away in the middle of a job may stay away before the job gives it up.
  public var patience = Duration.seconds(1)

  /// The product that the operator says every tag of the reel is; nil: not known. A survey may
  /// leave out questions whose answer follows from it, where a wrong answer is noticed before
  /// anything is written.
  public var expected: Product?
  /// Is true if no job writes a tag that turns out to be another than `expected`; else it is
  /// treated as what it is.
  public var refusesOtherTypes = true

  /// Says why a job is not to be done on the tag that lies there; nil: it may be done.
  package var refusal: (@Sendable (Job, Target) -> JobFailure?)?

  /// Wait 30 s for a tag, and write.
  public init() {}
}
