import Bytes

/// One command to the chip and what came of it, as a trace shows it. Keys and passwords are gone
/// already.
package struct Exchange: Hashable, Sendable {
  /// When the command was handed to the link, counted from the reader's opening on a clock that
  /// never goes back.
  package let start: Duration
  /// How long the link took, the host's repetition not included.
  package let duration: Duration
  /// The command, its code first, without the TFI D4. Nil stands for a secret byte.
  package let command: [UInt8?]
  /// What came back.
  package let outcome: Outcome

  /// How an exchange ended.
  package enum Outcome: Hashable, Sendable {
    /// What follows D5 and the answer code; nil stands for a secret byte.
    case answer([UInt8?])
    /// The link failed.
    case failure(ReaderError)
  }

  package init(start: Duration, duration: Duration, command: [UInt8?], outcome: Outcome) {
    self.start = start
    self.duration = duration
    self.command = command
    self.outcome = outcome
  }

  /// Two lower-case digits a byte; `**` for each secret one.
  package static func text(_ bytes: [UInt8?]) -> String {
    bytes.map { $0.map(Hex.byte) ?? "**" }.joined()
  }
}

extension Exchange: CustomStringConvertible {
  package var description: String {
    switch outcome {
    case .answer(let bytes): "\(Self.text(command)) → \(Self.text(bytes))"
    case .failure(let error): "\(Self.text(command)) → \(error)"
    }
  }
}
