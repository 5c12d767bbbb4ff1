/// The kinds of files that are read as traces.
package enum TraceFormat: String, Hashable, Sendable, CaseIterable {
  /// What `--trace` writes, alone or within a problem report.
  case nfcprog
  /// JSON Lines, a capture each: `id`, `level` and `frames` with `dir` and `hex`.
  case captures
  /// libnfc's debugging output (`LIBNFC_LOG_LEVEL=3`).
  case libnfc
  /// nfcpy's debugging log.
  case nfcpy
  /// Proxmark3's `trace list` of ISO/IEC 14443 type A.
  case proxmark
  /// What `bring-up --report` writes.
  case bringUp = "bring-up"

  /// For a sentence.
  package var name: String {
    switch self {
    case .nfcprog: "a trace of nfcprog"
    case .captures: "captures as JSON Lines"
    case .libnfc: "libnfc's debugging output"
    case .nfcpy: "nfcpy's debugging log"
    case .proxmark: "a trace list of Proxmark3"
    case .bringUp: "a report of bring-up"
    }
  }
}

/// A file that was read as a trace.
package struct TraceFile: Hashable, Sendable {
  package let format: TraceFormat
  /// One but for captures, which may be none.
  package let sessions: [RecordedSession]

  package init(format: TraceFormat, sessions: [RecordedSession]) {
    (self.format, self.sessions) = (format, sessions)
  }

  /// The session called `name`; nil: the only one.
  package func session(named name: String?) throws(TraceError) -> RecordedSession {
    guard let name else {
      guard sessions.count == 1 else { throw .severalSessions(sessions.compactMap(\.name)) }
      return sessions[0]
    }
    guard let session = sessions.first(where: { $0.name == name }) else {
      throw .noSuchSession(name, sessions.compactMap(\.name))
    }
    return session
  }
}

/// Why a file is no trace that can be used.
package enum TraceError: Error, Hashable, Sendable {
  /// Not one line is one of a trace.
  case foreign
  /// A line is not what the others are, counted from 1.
  case badLine(Int, String)
  /// The file has several captures, with these names, and none was chosen.
  case severalSessions([String])
  /// The file has no capture of this name, but these.
  case noSuchSession(String, [String])
}

extension TraceError: CustomStringConvertible {
  /// A sentence without its full stop, to follow the file's name.
  package var description: String {
    switch self {
    case .foreign:
      "line 1 and all others are no lines of a trace: traces of nfcprog, captures as JSON Lines, debugging logs of libnfc and nfcpy, and trace lists of Proxmark3 are understood"
    case .badLine(let line, let reason): "line \(line): \(reason)"
    case .severalSessions(let names):
      "it has \(names.count) captures, choose one with log=NAME: \(names.joined(separator: ", "))"
    case .noSuchSession(let name, let names):
      "it has no capture \(name)"
        + (names.isEmpty ? "" : ", but \(names.joined(separator: ", "))")
    }
  }
}
