import NDEF
import PhoneSessions

extension PocketJSON {
  /// What happens in the pocket with the tag `uid`.
  init(uid: String, _ outcome: PocketOutcome) {
    self.init(
      uid: uid, outcome: outcome.act.rawValue, uri: outcome.uri, appIDs: outcome.appIDs,
      reasons: outcome.reasons)
  }
}

extension CallbackJSON {
  /// A line of a session's transcript.
  init(_ line: SessionTranscript.Line) {
    self.init(line.callback)
    if !line.tags.isEmpty {
      tags = line.tags.map { Tag(kind: $0.kind, detail: $0.detail, identifier: $0.identifier) }
    }
    (ndefStatus, capacity) = (line.status, line.capacity)
    let messages = line.messages.map { RawMessage(parsing: $0) }.filter(\.faults.isEmpty)
    if !messages.isEmpty { records = messages.flatMap(\.unjoinedRecords).map(RecordJSON.init) }
    error = line.error.map { FailureJSON(code: Int32($0.code.rawValue), message: $0.reason) }
  }
}
