import Bytes

/// Bytes of a trace as text.
package enum MaskedBytes {
  /// Two lower-case digits a byte; `**` for each that was masked.
  package static func text(_ bytes: [UInt8?]) -> String {
    bytes.map { $0.map(Hex.byte) ?? "**" }.joined()
  }
}
