import Readers
import TagMemory

/// The memory of a tag before a job writes to it; a front end saves it as a backup.
package struct KeptMemory: Sendable {
  package let target: Target
  /// Nil where nothing could be read.
  package let dump: TagDump?
  /// The blocks or pages that the job writes and that could not be read.
  package let lost: [Int]
  /// Facts of the tag that a dump has no place for.
  package let findings: [TagDescription.Finding]
}
