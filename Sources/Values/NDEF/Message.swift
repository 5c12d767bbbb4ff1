import WebAddress

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
  /// .url("https://example.com/t/1")`.
  ///
  /// What a URL cannot hold is encoded, a host outside ASCII as punycode (RFC 3492). Throws, and
  /// says why, for what is no absolute address, such as `example.com`, and for what is surely a
  /// slip, such as a scheme that stands twice. `URIRecord` takes any text.
  public static func url(_ address: String) throws(NDEFError) -> Message {
    guard !address.utf8.contains(where: "{}".utf8.contains) else {
      throw NDEFError(
        .invalidAddress(address, reason: "nobody fills in what stands in braces"), in: .argument)
    }
    let text: String
    do throws(AddressError) {
      text = try Address(parsing: address).text
    } catch {
      throw NDEFError(.invalidAddress(address, reason: "\(error)"), in: .argument)
    }
    return Message(try URIRecord(text).record)
  }

  /// A message of records that are known not to be none.
  init(checked records: [Record]) { self.records = records }

  /// Reads all of `bytes` as one message and joins chunks.
  ///
  /// Throws the first fault that is found: the message must begin with MB, end with ME and with the
  /// bytes, and keep the rules of every format. A record of the reserved format stays as it is, and
  /// what it holds counts as unknown (NDEF 1.0, 3.2.6).
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
