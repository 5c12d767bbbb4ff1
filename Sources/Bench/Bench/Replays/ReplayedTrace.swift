import Bytes
import Traces

/// A trace that a simulated board answers from: `sim:trace=FILE[,log=NAME][,key=HEX][,pace=none]`.
package struct ReplayedTrace: Hashable, Sendable {
  /// The file; it is read when the reader is opened.
  package let path: String
  /// The name of the capture, where the file holds several; nil where it holds one.
  package var name: String?
  /// The tag's keys, 8, 16 or 24 bytes each, where the trace has masked them.
  package var keys: [[UInt8]] = []
  /// Is true if answers take as long as they did.
  package var isTimed = true

  package static let prefix = "sim:trace="

  package init(path: String) { self.path = path }

  /// What `--trace-file` says: a file, and the same options. Fails with `usage`.
  package init(option text: String) throws(BenchError) {
    try self.init(parsing: Self.prefix + text)
  }

  /// Reads `text`, which begins with `prefix`. Fails with `usage`.
  package init(parsing text: String) throws(BenchError) {
    let pieces = text.dropFirst(Self.prefix.count)
      .split(separator: ",", omittingEmptySubsequences: false)
    path = String(pieces[0])
    guard !path.isEmpty else { throw BenchError(.usage, "trace= takes the name of a file.") }
    for piece in pieces.dropFirst() {
      switch piece {
      case "pace=none": isTimed = false
      case "pace=real": isTimed = true
      case _ where piece.hasPrefix("key="):
        guard let key = try? Hex.bytes(piece.dropFirst(4)), [8, 16, 24].contains(key.count)
        else {
          throw BenchError(
            .usage, "key= takes the tag's key, 16, 32 or 48 hexadecimal digits.")
        }
        keys.append(key)
      case _ where piece.hasPrefix("log=") && piece.count > 4: name = String(piece.dropFirst(4))
      default:
        throw BenchError(
          .usage,
          "A trace takes log=NAME, key=HEX and pace=real or none, not \u{201C}\(piece)\u{201D}; its path has no comma."
        )
      }
    }
  }

  /// The trace. Fails with `noInput`, and with `badInput` for a file that is none.
  package func session() throws(BenchError) -> RecordedSession {
    let session = try TraceFile(at: path).session(named: name, in: path)
    guard !session.exchanges.isEmpty else {
      throw BenchError(.badInput, "\(path) has no exchange that could be replayed.")
    }
    return session
  }
}

extension TraceFile {
  /// Reads the file at `path`. Fails with `noInput`, and with `badInput` for one that is no trace.
  package init(at path: String) throws(BenchError) {
    let bytes = try Files.read(path)
    do throws(TraceError) {
      try self.init(parsing: bytes)
    } catch {
      throw BenchError(.badInput, "\(path) cannot be used as a trace: \(error).")
    }
  }

  /// The session called `name`; nil: the only one. Fails with `badInput`.
  package func session(named name: String?, in path: String) throws(BenchError) -> RecordedSession {
    do throws(TraceError) {
      return try session(named: name)
    } catch {
      throw BenchError(.badInput, "\(path) cannot be used as a trace: \(error).")
    }
  }
}
