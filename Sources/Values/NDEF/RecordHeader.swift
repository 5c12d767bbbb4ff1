import Bytes

/// What stands before TYPE in a serialized record: the flag byte and the lengths.
///
/// NFC Forum NDEF 1.0, 3.2.
///
///     byte   bit 7   6    5    4    3    2…0
///     0      MB      ME   CF   SR   IL   TNF
///     1      TYPE LENGTH
///     2…     PAYLOAD LENGTH: 1 byte with SR, else 4 bytes, high byte first
///     …      ID LENGTH: 1 byte, only with IL
package struct RecordHeader: Hashable, Sendable {
  /// MB: the first record of a message.
  package let isMessageBegin: Bool
  /// ME: the last record of a message.
  package let isMessageEnd: Bool
  /// CF: more chunks of this record follow.
  package let isChunk: Bool
  /// SR: the payload length takes one byte.
  package let isShort: Bool
  package let typeNameFormat: TypeNameFormat
  /// 0 to 255 bytes.
  package let typeLength: UInt8
  /// 0 to 2³²−1 bytes; at most 255 where `isShort`.
  package let payloadLength: UInt32
  /// 0 to 255 bytes; nil without IL.
  package let idLength: UInt8?

  /// The header that a whole record is written with: SR below 256 bytes, IL with an ID only.
  init(of record: Record, isFirst: Bool, isLast: Bool) {
    isMessageBegin = isFirst
    isMessageEnd = isLast
    isChunk = false
    isShort = record.payload.count < 256
    typeNameFormat = record.typeNameFormat
    // A Record holds no field that its length field cannot say.
    typeLength = UInt8(record.type.count)
    payloadLength = UInt32(record.payload.count)
    idLength = record.id.map { UInt8($0.count) }
  }

  /// The header of a record or a chunk with fields of these lengths; nil where a length field
  /// cannot say one. An ID of no bytes is absent.
  package init?(
    _ format: TypeNameFormat, type: Int, id: Int, payload: Int, isFirst: Bool, isLast: Bool,
    isChunk: Bool
  ) {
    guard let typeLength = UInt8(exactly: type), let idLength = UInt8(exactly: id),
      let payloadLength = UInt32(exactly: payload)
    else { return nil }
    (isMessageBegin, isMessageEnd, self.isChunk) = (isFirst, isLast, isChunk)
    (isShort, typeNameFormat) = (payload < 256, format)
    (self.typeLength, self.payloadLength) = (typeLength, payloadLength)
    self.idLength = id == 0 ? nil : idLength
  }

  /// Reads a header; throws `truncated` when the bytes end inside it.
  init(parsing reader: inout ByteReader) throws(NDEFError) {
    let flags = try reader.field(.flags, 1)[0]
    isMessageBegin = flags & 0x80 != 0
    isMessageEnd = flags & 0x40 != 0
    isChunk = flags & 0x20 != 0
    isShort = flags & 0x10 != 0
    typeNameFormat = TypeNameFormat(flags: flags)
    typeLength = try reader.field(.typeLength, 1)[0]
    payloadLength = try reader.field(.payloadLength, isShort ? 1 : 4)
      .reduce(0) { $0 << 8 | UInt32($1) }
    idLength = flags & 0x08 != 0 ? try reader.field(.idLength, 1)[0] : nil
  }

  /// How many bytes the header takes: 3 to 7.
  package var byteCount: Int { 2 + (isShort ? 1 : 4) + (idLength == nil ? 0 : 1) }

  /// The header's bytes.
  package func serialize() -> [UInt8] {
    var writer = ByteWriter()
    var flags = typeNameFormat.rawValue
    if isMessageBegin { flags |= 0x80 }
    if isMessageEnd { flags |= 0x40 }
    if isChunk { flags |= 0x20 }
    if isShort { flags |= 0x10 }
    if idLength != nil { flags |= 0x08 }
    writer.write(flags)
    writer.write(typeLength)
    if isShort { writer.write(UInt8(payloadLength)) } else { writer.write(payloadLength) }
    if let idLength { writer.write(idLength) }
    return writer.bytes
  }
}

extension ByteReader {
  /// The next `count` bytes, which belong to `field` of a record.
  mutating func field(_ field: NDEFError.Field, _ count: Int) throws(NDEFError) -> [UInt8] {
    do throws(ByteReaderError) {
      return try bytes(count)
    } catch {
      throw NDEFError(
        .truncated(field, wanted: error.wanted, available: error.available),
        in: .message, at: error.offset)
    }
  }
}
