/// What the message inside a Smart Poster holds, sorted by what it is for.
struct SmartPosterParts {
  var uris: [URIRecord] = []
  var titles: [TextRecord] = []
  var action: SmartPosterRecord.Action?
  var size: UInt32?
  var mediaType: String?
  var icons: [MIMERecord] = []
  var others: [Record] = []
  private var seenTypes: Set<String> = []

  /// Sorts the records inside `record`; throws for the first that cannot be read.
  mutating func collect(from record: Record) throws(NDEFError) {
    guard record.isWellKnown("Sp") else {
      throw NDEFError(.otherType(expected: "a Smart Poster"), in: .type)
    }
    let message = RawMessage(parsing: record.payload)
    if let error = message.faults.first {
      // The message inside starts with the payload, so its offsets are the payload's.
      throw NDEFError(error.fault, in: .payload, at: error.offset)
    }
    for (index, inner) in message.joined().enumerated() {
      do throws(NDEFError) {
        try add(inner.record)
      } catch {
        throw NDEFError(.nested(position: index + 1, error), in: .payload, at: inner.offset)
      }
    }
  }

  private mutating func add(_ record: Record) throws(NDEFError) {
    switch (record.typeNameFormat, record.typeName) {
    case (.wellKnown, "U"):
      uris.append(try URIRecord(parsing: record))
    case (.wellKnown, "T"):
      titles.append(try TextRecord(parsing: record))
    case (.wellKnown, "act"):
      let code = try onlyOnce(record, "Smart Poster action", size: 1)[0]
      guard let action = SmartPosterRecord.Action(rawValue: code) else {
        throw NDEFError(.reservedAction(code), in: .payload)
      }
      self.action = action
    case (.wellKnown, "s"):
      size = try onlyOnce(record, "Smart Poster size", size: 4).reduce(0) { $0 << 8 | UInt32($1) }
    case (.wellKnown, "t"):
      mediaType = try Decoding.utf8(onlyOnce(record, "Smart Poster type", size: nil), at: 0)
    case (.media, _):
      let media = try MIMERecord(parsing: record)
      if SmartPosterRecord.isIcon(media) { icons.append(media) } else { others.append(record) }
    default:
      others.append(record)
    }
  }

  /// The payload of a record that may stand once, held against its fixed size.
  private mutating func onlyOnce(
    _ record: Record, _ name: String, size: Int?
  ) throws(NDEFError) -> [UInt8] {
    guard seenTypes.insert(record.typeName).inserted else {
      throw NDEFError(.repeatedRecord(type: record.typeName), in: .type)
    }
    if let size, record.payload.count != size {
      throw NDEFError(
        .wrongSize(of: name, count: record.payload.count, expected: size), in: .payload)
    }
    return record.payload
  }
}
