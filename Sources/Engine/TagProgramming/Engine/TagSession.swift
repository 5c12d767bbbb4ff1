import Readers
import TagMemory

/// One selected tag on one reader, with what this run has sent to it. What the tag forgets when it
/// is selected again, a family adds.
///
/// After a refusal a tag is silent; the next command here selects it again first, by its UID, so
/// that no other tag can be met in its place.
class TagSession {
  let reader: TagReader
  let tag: Target
  /// What this run has written so far.
  var sent = SentWrites()

  init(reader: TagReader, tag: Target) {
    self.reader = reader
    self.tag = tag
  }

  /// The password or key that the tag was seen to take in this session; nil for none.
  var provenSecret: [UInt8]? { nil }

  /// Selects the tag again if it has refused something since. Throws `tagLost` when it is not
  /// there.
  func wake() throws(ReaderError) {
    guard reader.needsReselect else { return }
    try selectAgain()
  }

  /// Selects the tag again whatever it did.
  func selectAgain() throws(ReaderError) { try reader.reselect(tag) }

  /// A pass has failed: whether what the tag took before still holds is for the next one to find
  /// out.
  func takeNothingForGranted() {}
}
