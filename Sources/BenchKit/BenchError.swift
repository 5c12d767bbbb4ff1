/// Why a call of the bench could not do what it was asked for.
///
/// A front end prints `reason` and puts `remedy` into its own words; `code` is stable, for programs.
public struct BenchError: Error, Hashable, Sendable {
  /// The kinds of failure, as sysexits.h sorts them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// What the caller asked for makes no sense.
    case usage
    /// A URL, a message, a key file or the like is not what it should be, or does not fit the tag.
    case badInput
    /// An input file cannot be read.
    case noInput
    /// No reader, or it is busy, forbidden or not answering.
    case unavailable
    /// A mistake in this library.
    case bug
    /// An output file cannot be written.
    case cannotCreate
    /// The tag was lost, removed, swapped or answered with errors, or several lay in the field.
    case tagTrouble
    /// No tag was presented in time; or a question could not be answered now, and may be another time.
    case noTag
    /// What was read back is not what was written.
    case mismatch
    /// The tag refused: authentication, locks, read-only, a password.
    case refused
    /// The environment or a settings file is wrong.
    case configuration
    /// The run was asked to end.
    case interrupted
  }

  /// What a person can do next, for the front end to word.
  public enum Remedy: Hashable, Sendable {
    /// Say which reader is meant.
    case nameReader
    /// Test the reader to find the cause.
    case checkReader
    /// Install the udev rule that opens readers to this user.
    case installReaderRule
  }

  public var code: Code
  /// Full sentences: what happened.
  public var reason: String
  /// What to do next, in the order to be said.
  public var remedies: [Remedy]

  public init(_ code: Code, _ reason: String, _ remedies: [Remedy] = []) {
    (self.code, self.reason, self.remedies) = (code, reason, remedies)
  }

  /// The same failure, blamed on `code` where it was blamed on the caller: what the caller handed on came from elsewhere.
  package func blaming(_ code: Code) -> BenchError {
    self.code == .usage ? BenchError(code, reason, remedies) : self
  }
}

extension BenchError: CustomStringConvertible {
  public var description: String { reason }
}

/// `text` with a capital at its start and a full stop at its end.
package func sentence(_ text: String) -> String {
  let capital = text.prefix(1).uppercased() + text.dropFirst()
  return capital.last.map { ".?!".contains($0) } == true ? capital : capital + "."
}
