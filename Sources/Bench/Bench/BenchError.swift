/// Why a call of the bench could not do what it was asked for.
///
/// A front end prints `reason` and puts `remedies` into its own words; `code` is stable, for
/// programs.
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
    /// No tag was presented in time; or a question could not be answered now, and may be another
    /// time.
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

  /// A remedy says what a person can do next; the front end words it.
  public enum Remedy: Hashable, Sendable {
    /// Say which reader is meant.
    case nameReader
    /// Test the reader to find the cause.
    case checkReader
    /// Install the udev rule that opens readers to this user.
    case installReaderRule
    /// Give the name of a domain, such as example.com.
    case nameDomain
    /// Say at which host a site association is, or take it for granted.
    case placeAssociation
    /// Put an Android application record behind the link; it takes so many bytes more.
    case addApplicationRecord(package: String, byteCount: Int)
    /// Copy whatever message the source holds.
    case copyAnyContent
    /// Give the URL of every tag as a template, such as the one given.
    case giveTemplate(String)
    /// Take the rows up that were added to the list.
    case extendList
    /// Put the list's jobs on new tags, although another journal was used with it.
    case startOver
    /// Take up corrected rows.
    case correctList
    /// Continue a batch that the database has lost, or put the list's jobs on new tags.
    case takeUpLostBatch
  }

  /// The kind of failure; stable, for programs.
  public var code: Code
  /// Full sentences: what happened.
  public var reason: String
  /// The remedies say what to do next, in the order to be said.
  public var remedies: [Remedy]
  /// A full sentence that says what was not done because of it; nil where that goes without saying.
  public var consequence: String?
  /// Is true if another process holds the reader.
  package var isReaderBusy = false

  package init(
    _ code: Code, _ reason: String, _ remedies: [Remedy] = [], consequence: String? = nil
  ) {
    (self.code, self.reason, self.remedies) = (code, reason, remedies)
    self.consequence = consequence
  }

  /// Returns this failure, blamed on `code` where it was blamed on the caller: what the caller
  /// handed on came from elsewhere.
  package func blaming(_ code: Code) -> BenchError {
    guard self.code == .usage else { return self }
    var error = self
    error.code = code
    return error
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
