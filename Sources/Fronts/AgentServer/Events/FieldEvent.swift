import JSON
import TagMemory

/// What has changed on a reader.
enum FieldEvent: Equatable, Sendable {
  /// One tag lies there.
  case tag(UID)
  /// No tag lies there: it has gone, or none has come yet.
  case nothing
  /// Two tags or more lie there, of which the chip names these.
  case several([UID])
  /// The reader does not answer.
  case away

  /// As server-sent events name it.
  var name: String {
    switch self {
    case .tag: "tag"
    case .nothing: "gone"
    case .several: "several"
    case .away: "away"
    }
  }

  /// Returns one event of a stream (HTML Living Standard, 9.2), at `reader`, as it stands in
  /// addresses.
  func text(at reader: String) -> String {
    let uids: [UID] =
      switch self {
      case .tag(let uid): [uid]
      case .several(let uids): uids
      case .nothing, .away: []
      }
    return
      "event: \(name)\ndata: \(JSONLine.text(FieldJSON(reader: reader, uids: uids.map(\.hex))))\n\n"
  }
}

/// The tags that lie on a reader.
private struct FieldJSON: OutputDocument {
  var reader: String
  var uids: [String]
}
