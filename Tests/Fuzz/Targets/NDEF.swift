import NDEF

/// A message that can be read is written as it is read, and read again the same; so is each
/// record's content.
enum NDEFTarget: FuzzTarget {
  static func check(_ input: [UInt8]) throws {
    let raw = RawMessage(parsing: input)
    for record in raw.joinedRecords() { _ = RecordContent(record).summary }
    guard let message = try? Message(parsing: input) else {
      try require(!raw.faults.isEmpty, "refused without a fault")
      return
    }
    let bytes = message.serialize()
    try require(bytes.count == message.byteCount, "byteCount")
    try require((try? Message(parsing: bytes)) == message, "the message is another when read again")
    for record in message.records {
      let content = RecordContent(record)
      guard let written = content.written else { continue }
      try require(RecordContent(written) == content, "\(content) is another when read again")
    }
  }
}

extension RecordContent {
  /// The record that says the same; nil for contents that are not written from their values.
  var written: Record? {
    switch self {
    case .uri(let value): value.record
    case .text(let value): value.record
    case .smartPoster(let value): value.record
    case .mime(let value): value.record
    case .external(let value): value.record
    case .androidApplication(let value): value.record
    case .absoluteURI(let value): value.record
    case .wifi(let value): value.record
    case .vCard(let value): value.record
    case .empty, .unknown, .malformed: nil
    }
  }
}
