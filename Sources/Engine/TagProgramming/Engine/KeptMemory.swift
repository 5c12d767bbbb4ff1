import Readers
import TagMemory

/// What a tag holds before its first write, for whoever keeps it.
package struct KeptMemory: Sendable {
  package let target: Target
  /// Nil where nothing could be read.
  package let dump: TagDump?
  /// The blocks or pages that the job writes and that could not be read.
  package let lost: [Int]
  /// What the dump cannot say of the tag.
  package let findings: [TagDescription.Finding]
}
