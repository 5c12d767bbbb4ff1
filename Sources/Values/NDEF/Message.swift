/// An NDEF message: one record or more (NFC Forum NDEF 1.0, 2.3.1).
public struct Message: Hashable, Sendable {
  /// Never empty.
  public let records: [Record]

  /// A message of `records`; throws `emptyMessage` when there are none.
  public init(_ records: [Record]) throws(NDEFError) {
    guard !records.isEmpty else { throw NDEFError(.emptyMessage, in: .argument) }
    self.records = records
  }

  /// A message of one record or more.
  public init(_ first: Record, _ others: Record...) {
    records = [first] + others
  }

  /// A message of one URI record, as nearly every tag has it: `try
  /// .url("https://example.com/t/1")`. Throws for an empty URI and for control characters.
  public static func url(_ uri: String) throws(NDEFError) -> Message {
    Message(try URIRecord(uri).record)
  }

  /// A message of records that are known not to be none.
  init(checked records: [Record]) { self.records = records }

  /// Reads all of `bytes` as one message and joins chunks.
  ///
  /// Throws the first fault that is found: the message must begin with MB, end with ME and with the
  /// bytes, and keep the rules of every format. A record of the reserved format
  /// becomes one of unknown type.
  public init(parsing bytes: some Sequence<UInt8>) throws(NDEFError) {
    let raw = RawMessage(parsing: bytes)
    if let fault = raw.faults.first { throw fault }
    records = raw.joinedRecords()
    let limit = Int(clamping: UInt32.max)
    if let record = records.first(where: { $0.payload.count > limit }) {
      throw NDEFError(
        .tooLong(.payload, count: record.payload.count, limit: limit), in: .message)
    }
  }

  /// The canonical bytes: each record whole, its payload length in one byte below 256.
  public func serialize() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    for (index, record) in records.enumerated() {
      let header = RecordHeader(
        of: record, isFirst: index == 0, isLast: index == records.count - 1)
      bytes += header.serialize()
      bytes += record.type
      bytes += record.id ?? []
      bytes += record.payload
    }
    return bytes
  }

  /// How many bytes `serialize()` gives.
  public var byteCount: Int { records.reduce(0) { $0 + $1.byteCount } }
}
