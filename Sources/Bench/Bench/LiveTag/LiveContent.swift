/// Holds the message of a board that plays a tag: one message, one from a file that may change
/// between two taps, or the one that a telephone wrote last.
package protocol LiveContent: AnyObject {
  /// Returns the message that the next tap reads. The board calls it after a telephone has come and
  /// before the first answer, so it must return at once.
  func message() -> [UInt8]

  /// Is true if `message` has stand-ins in place of what only `reading` tells, and nobody is shown
  /// it.
  var holdsStandIns: Bool { get }

  /// Returns what this selection is to read in place of `message`, as long as it, with its number;
  /// nil: the message as it is. The board calls it once, before the first byte is given out.
  func reading() throws(BenchError) -> (message: [UInt8], counter: Int)?

  /// Takes over what a telephone has written. Fails where it cannot be kept.
  func keep(_ message: [UInt8]) throws(BenchError)
}

/// A message that everybody reads as it is.
extension LiveContent {
  package var holdsStandIns: Bool { false }
  package func reading() throws(BenchError) -> (message: [UInt8], counter: Int)? { nil }
}

/// One message, which telephones may replace where there is a file that keeps what they write.
package final class FixedContent: LiveContent {
  private var bytes: [UInt8]
  private let file: NamedFile?

  package init(_ message: [UInt8], keptIn file: NamedFile? = nil) {
    (bytes, self.file) = (message, file)
  }

  package func message() -> [UInt8] { bytes }

  package func keep(_ message: [UInt8]) throws(BenchError) {
    try file?.write(message, isSecret: false)
    bytes = message
  }
}
