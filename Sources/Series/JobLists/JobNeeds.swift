import TagMemory

/// What a job needs of the type of tag that it is put on, beside room for its message.
package struct JobNeeds: Hashable, Sendable {
  /// What the tag is to show in its message.
  package var mirror: ASCIIMirror.Content?
  /// How many bytes the password or key may have that the tag gets; nil: it gets none, and empty: a
  /// list does not say before its rows are read.
  package var secretByteCounts: Set<Int>?
  package var locks = false

  package init() {}

  /// A need that a type of tag does not meet.
  package struct Lack: Hashable, Sendable {
    /// The column of a row that says so.
    package var column: String?
    /// What the type cannot do, behind its name.
    package let words: String
  }

  /// Returns what `product` cannot do of it; nil: it can take the job.
  package func lack(of product: Product) -> Lack? {
    if let mirror, !product.canMirror(mirror) {
      return Lack(words: "cannot show \(mirror.words) in its message")
    }
    if let secretByteCounts {
      guard let count = product.secretByteCount else {
        return Lack(column: "password", words: "cannot be protected by a password")
      }
      if !secretByteCounts.isEmpty, !secretByteCounts.contains(count) {
        let kind = count == 4 ? "a password of 4 bytes" : "a key of \(count) bytes"
        let given = secretByteCounts.sorted().map(String.init).joined(separator: " or ")
        return Lack(column: "password", words: "has \(kind), and not of \(given)")
      }
    }
    if locks, !product.canLock {
      return Lack(column: "lock", words: "cannot be locked")
    }
    return nil
  }
}
