import PN532
import Readers
import TagMemory

/// A report says what became of one tag. Everything that is said of the tag itself is in
/// `description`, and reads as the report's own.
@dynamicMemberLookup
public struct TagReport: Sendable {
  /// How the job ended.
  public enum Result: String, Hashable, Sendable {
    /// The tag was read and nothing else was asked for.
    case read
    /// The tag was changed and now holds what was wanted, read back.
    case written
    /// The tag held what was wanted already.
    case unchanged
    /// Nothing was written: this is what would be.
    case planned
    /// See `failure`.
    case failed
  }

  /// How the job ended.
  public let result: Result
  /// The tag; nil where none was reached.
  public let target: Target?
  /// The description says what the tag is and holds, as far as it was looked at.
  public let description: TagDescription
  /// Is true if everything said here of the message was read from the tag after the last write.
  public let verified: Bool
  /// With a job that writes a message: whether it is on the tag. A failed tag may hold it all the
  /// same.
  package let newMessage: NewMessage
  /// Says whether the tag was away, perhaps, after the new message may have been on it, or while it
  /// was read: what was read since may be another tag's with the same UID.
  package let mayBeAnother: Bool
  /// What whoever reads the tag found when its program stopped in the middle, the step that failed
  /// left out of account; nil where that is not known, and where no program stopped.
  package let shows: Shows?
  /// The program was, or would be, run; nil where the job only looks, or nothing was planned.
  public let program: TagProgram?
  /// Is true if `program` was only planned, and nothing written.
  package let isDryRun: Bool
  /// Why it failed; nil where it did not.
  public let failure: JobFailure?
  /// From the start of the look that found the tag; `duration` likewise.
  public let counts: OperationCounts
  /// As measured.
  public let duration: Duration
  /// How an exchange with the reader is modelled: at its line's speed.
  package let exchangeTime: ExchangeTime

  /// Writes that were not needed because the tag held those bytes.
  package var skipped: Int { program?.unchanged ?? 0 }

  /// Returns what `description` says.
  public subscript<Value>(dynamicMember path: KeyPath<TagDescription, Value>) -> Value {
    description[keyPath: path]
  }
}

extension TagReport {
  /// The report of a job that reached no tag, or got no further than to name it.
  init(
    _ result: Result, target: Target? = nil, description: TagDescription = TagDescription(),
    failure: JobFailure? = nil, counts: OperationCounts = OperationCounts(),
    duration: Duration = .zero, exchangeTime: ExchangeTime = ExchangeTime(speed: nil)
  ) {
    self.init(
      result: result, target: target, description: description, verified: false,
      newMessage: .absent, mayBeAnother: false, shows: nil, program: nil, isDryRun: false,
      failure: failure, counts: counts, duration: duration, exchangeTime: exchangeTime)
  }
}

extension TagReport {
  /// The report of a job on `target`, with which it did not get to work.
  package init(unreached target: Target, _ failure: JobFailure) {
    self.init(.failed, target: target, failure: failure)
  }
}

extension TagReport {
  /// Returns this report, of a job that ended as wanted. Throws why it did not.
  public func get() throws(JobFailure) -> TagReport {
    if let failure { throw failure }
    return self
  }
}

extension TagReport {
  /// Why the tag does not count as genuine, by what `info` has found; nil where it does.
  package var notGenuine: JobFailure? {
    if case .genuine? = description.origin { return nil }
    return description.product.map {
      JobFailure(.notGenuine($0, description.origin), remedy: .useAnotherTag)
    }
  }
}
