/// What the chip does with a command.
package enum ChipOutcome: Hashable, Sendable {
  /// It acknowledges and answers; the answer code comes first.
  case answer([UInt8])
  /// It acknowledges and answers with the error frame: unknown command, wrong parameters
  /// (UM0701-02, 6.2.1.5).
  case syntaxError
  /// It acknowledges and answers when a tag comes, unless it is aborted before.
  case pending
  /// It acknowledges and will never answer: its firmware has died.
  case hung
  /// It does not even acknowledge: asleep, or dead already.
  case deaf
}
