import JSON
import Traces

/// A trace as a file that `--reader sim:trace=FILE` answers from, without a key or a password.
package struct ReplayableTrace: Hashable, Sendable {
  /// Its text: JSON Lines, what made it first.
  package let text: String
  /// How many exchanges it has.
  package let count: Int

  /// How each of them begins.
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
