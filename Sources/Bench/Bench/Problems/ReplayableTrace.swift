import JSON
import Traces

/// A trace as a file that `--reader sim:trace=FILE` answers from, without a key or a password.
package struct ReplayableTrace: Hashable, Sendable {
  /// The text as JSON Lines. The first line names the program that made it.
  package let text: String
  /// The number of exchanges in the trace.
  package let count: Int

  /// Every such text begins with these characters.
  private static let start = "{\"format\":\"nfcprog trace\""

  /// Takes the trace in the file at `path`. `version`: of this program. Fails with `noInput` or
  /// `badInput`.
  package init(of path: String, log: String? = nil, version: String) throws(BenchError) {
    let file = try TraceFile(at: path)
    let session = try file.session(named: log, in: path)
    let lines = session.withoutSecrets.compactMap { exchange -> String? in
      // An answer alone is no exchange that could be repeated.
      exchange.command.isEmpty ? nil : JSONLine.text(ReplayableJSON(exchange))
    }
    guard !lines.isEmpty else {
      throw BenchError(.badInput, "\(path) has no command whose answer could be replayed.")
    }
    count = lines.count
    text =
      "\(Self.start),\"nfcprog\":\"\(version)\",\"replayable\":1}\n"
      + lines.map { $0 + "\n" }.joined()
  }
}
