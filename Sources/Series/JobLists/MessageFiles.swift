import RecordText
import Synchronization

/// The files that templates name, each read once: all tags of a run get the same bytes.
package final class MessageFiles: Sendable {
  /// As many are kept at a time.
  private static let limit = 64
  /// More bytes than any tag has.
  private static let longest = 65_536
  private let known = Mutex<[String: [UInt8]]>([:])

  package init() {}

  /// The bytes of the file at `path`; fails when it cannot be read, or is larger than any tag.
  func bytes(at path: String) throws(RecordTextError) -> [UInt8] {
    if let bytes = known.withLock({ $0[path] }) { return bytes }
    let bytes: [UInt8]
    do throws(JobSourceError) {
      bytes = try SourceFile(path, pipeLimit: Self.longest).contents(limit: Self.longest)
    } catch {
      throw RecordTextError(error.kind == .noInput ? .noInput : .badInput, error.message)
    }
    known.withLock { known in
      if known.count == Self.limit { known.removeAll() }
      known[path] = bytes
    }
    return bytes
  }
}
