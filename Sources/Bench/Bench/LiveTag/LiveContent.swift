/// What a board that plays a tag holds: one message, one that a file says anew for each tap, or
/// what a telephone wrote last.
package protocol LiveContent: AnyObject {
  /// What the next tap is to read. Asked for between a telephone's coming and its first answer, so
  /// that it takes no time.
  func message() -> [UInt8]

  /// What this selection is to read in place of `message`, as long as it; with its number. Called
  /// once before the first byte is given out; nil: the message as it is.
  func reading() throws(BenchError) -> (message: [UInt8], counter: Int)?

  /// Takes over what a telephone has written. Fails where it cannot be kept.
  func keep(_ message: [UInt8]) throws(BenchError)
}

/// One message, which telephones may replace where there is a file that keeps what they write.
package final class FixedContent: LiveContent {
  private var bytes: [UInt8]
  private let file: NamedFile?

  package init(_ message: [UInt8], keptIn file: NamedFile? = nil) {
    (bytes, self.file) = (message, file)
  }

  package func message() -> [UInt8] { bytes }
  package func reading() throws(BenchError) -> (message: [UInt8], counter: Int)? { nil }

  package func keep(_ message: [UInt8]) throws(BenchError) {
    try file?.write(message, isSecret: false)
    bytes = message
  }
}
