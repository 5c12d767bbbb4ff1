import NDEF

/// Why a text makes no record: full sentences.
package struct RecordTextError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The text is not what it should be.
    case badInput
    /// A file that it names cannot be read.
    case noInput
  }

  package let kind: Kind
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}

extension RecordTextError {
  static func badInput(_ message: String) -> RecordTextError { RecordTextError(.badInput, message) }

  /// `text` between quotation marks, fit for one line of a terminal, its end left out when it is
  /// long.
  package static func quoted(_ text: String) -> String { Escaped.quote(text) }

  /// Returns `text` without quotation marks, fit for one line of a terminal, its end left out when
  /// it is long.
  package static func plain(_ text: String) -> String { Escaped.line(text, limit: 80) }

  /// `text` with a capital and a full stop.
  static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
