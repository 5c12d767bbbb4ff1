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

  /// The bytes of the file at `path`; fails when it cannot be read, or is larger than any tag, and
  /// for a pipe or a device, which a run that goes on could not read again; but for one that a
  /// shell or the system hands over.
  func bytes(at path: String) throws(RecordTextError) -> [UInt8] {
    if !path.hasPrefix("/dev/") { try Self.requireRegular(path) }
    return try contents(of: path)
  }

  /// As `bytes`, of no pipe and no device whatever.
  func regularBytes(at path: String) throws(RecordTextError) -> [UInt8] {
    try Self.requireRegular(path)
    return try contents(of: path)
  }

  private static func requireRegular(_ path: String) throws(RecordTextError) {
    guard SourceFile.mayBeRegular(path) else {
      throw RecordTextError(
        .badInput, "\(RecordTextError.plain(path)) is no regular file, which could be read again.")
    }
  }

  private func contents(of path: String) throws(RecordTextError) -> [UInt8] {
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
