import Readers
import TagMemory

/// A Type 2 tag on a reader.
final class Type2Session: TagSession {
  /// Pages 2 to 5 as the first look found them; none where they did not show.
  var head: [UInt8] = []
  var product: Product?
  /// Its answer to GET_VERSION, if it gave one.
  var version: VersionAnswer?
}
