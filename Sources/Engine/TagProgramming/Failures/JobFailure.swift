import TagMemory

/// Why a job did not end as wanted, as values: what happened and where, what the tag holds now,
/// what to do next.
///
/// It is made where the trouble is noticed and carried unchanged to the exit code; `Wording` has
/// the sentences. The one thing that is added on the way is what the tag holds, where only the
/// engine knows it.
public struct JobFailure: Error, Hashable, Sendable {
  /// A kind says what kind of trouble it is; each has its exit code (sysexits.h).
  public enum Kind: Int32, Hashable, Sendable, CaseIterable {
    /// The message does not fit the tag, or the tag cannot do what was asked.
    case badInput = 65
    /// The reader is gone, busy or not answering.
    case readerUnavailable = 69
    /// Something that cannot be: a mistake in this program.
    case internalError = 70
    /// The tag was lost, swapped or answered with errors, or several lay in the field.
    case tagTrouble = 74
    /// No tag was presented in time.
    case noTag = 75
    /// What was read back is not what was written.
    case mismatch = 76
    /// The tag refused: keys, locks, read-only, a password.
    case refused = 77
    /// A board that answers from a trace was asked what the trace does not say: the tag and the
    /// reader are not to blame, and whoever sorts failures must not count it against them.
    case configuration = 78
    /// Somebody asked for the run to end.
    case interrupted = 130
  }

  /// What happened.
  package let cause: Cause
  /// What the tag holds now; nil where that is not decided yet, or where no tag was reached.
  package var holds: Holds?
  /// What to do next; nil where nothing can be said.
  package var remedy: Remedy?

  package init(_ cause: Cause, holds: Holds? = nil, remedy: Remedy? = nil) {
    (self.cause, self.holds, self.remedy) = (cause, holds, remedy)
  }

  /// The class of the cause.
  public var kind: Kind { cause.kind }

  package var exitCode: Int32 { kind.rawValue }
}
