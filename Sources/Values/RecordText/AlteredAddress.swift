import NDEF
import WebAddress

/// An address that goes onto a tag otherwise than it was given: whoever gave it is to know.
package struct AlteredAddress: Hashable, Sendable, CustomStringConvertible {
  package let given: String
  package let text: String
  package let changes: [Address.Alteration]

  /// Nil for an address that is written as it was given.
  package init?(_ address: Address) {
    guard !address.alterations.isEmpty else { return nil }
    (given, text, changes) = (address.written, address.text, address.alterations)
  }

  /// One sentence.
  package var description: String {
    let reasons = changes.map { Escaped.line("\($0)", limit: 300) }.joined(separator: "; ")
    return "\(RecordTextError.quoted(given)) is written as \(Escaped.line(text)): \(reasons)."
  }
}
