import Ledger

/// How many tags of one type were good, failed or were left alone.
package struct TypeCountJSON: Encodable, Sendable {
  /// As `sim:` calls it; absent: not told.
  package var tag: String?
  package var written: Int
  package var failed: Int
  package var left: Int

  package init(_ type: String, _ counts: Figures.Counts) {
    tag = type.isEmpty ? nil : type
    (written, failed, left) = (counts.written, counts.failed, counts.left)
  }
}
