/// A link to a chip that can play a tag to other readers (UM0701-02, 7.3.14).
package protocol TargetLink: ChipLink {
  /// Why this reader cannot play a tag, a clause; nil where it can, or where only trying tells.
  var targetObstacle: String? { get }

  /// Makes the chip an ISO-DEP card with the UID 08h and `identity` (3 bytes), and returns what
  /// follows the answer code once a reader has selected it. Waits without a limit, from `onArmed`
  /// on, which may be called more than once; throws `interrupted` when somebody asks for the end.
  func becomeTag(_ identity: [UInt8], onArmed: () -> Void) throws(ReaderError) -> [UInt8]

  /// As `transceive`, for what waits for that reader: nil `limit` is none.
  func awaitAnswer(to command: [UInt8], limit: Duration?) throws(ReaderError) -> [UInt8]

  /// The chip looks for tags again, as it did before. Also after an end that was asked for; one
  /// that failed can be repeated.
  func stopPlaying() throws(ReaderError)
}
