/// Why a job did not end as wanted: what happened and where, what the tag holds now, what to do next.
public struct ProgramFailure: Error, Hashable, Sendable {
  /// What kind of trouble; each has its exit code (sysexits.h).
  public enum Kind: Int32, Hashable, Sendable {
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
    /// Somebody asked for the run to end.
    case interrupted = 130
  }

  public let kind: Kind
  /// What happened and where: one sentence.
  public let what: String
  /// What the tag holds now; nil where nothing was touched and nothing is known.
  public let tagHolds: String?
  /// What to do next.
  public let next: String?

  public init(_ kind: Kind, _ what: String, tagHolds: String? = nil, next: String? = nil) {
    self.kind = kind
    self.what = what
    self.tagHolds = tagHolds
    self.next = next
  }

  public var exitCode: Int32 { kind.rawValue }

  /// All of it in one line of full sentences.
  public var message: String {
    ([what, tagHolds.map { "On the tag: \($0)" }, next.map { "Next: \($0)" }] as [String?])
      .compactMap { $0 }.joined(separator: " ")
  }
}

extension ProgramFailure: CustomStringConvertible {
  public var description: String { message }
}
