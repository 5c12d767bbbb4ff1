import Bytes

/// One record or chunk as it stands in the bytes: nothing joined, nothing judged.
package struct RawRecord: Hashable, Sendable {
  /// Where the flag byte stands in the message.
  package let offset: Int
  package let header: RecordHeader
  package let type: [UInt8]
  /// nil without an ID length.
  package let id: [UInt8]?
  package let payload: [UInt8]

  /// Reads one record; throws `truncated` when the bytes end inside it. Lengths are held against
  /// the bytes that are left before anything is set aside for them.
  init(parsing reader: inout ByteReader) throws(NDEFError) {
    offset = reader.offset
    header = try RecordHeader(parsing: &reader)
    type = try reader.field(.type, Int(header.typeLength))
    if let idLength = header.idLength {
      id = try reader.field(.id, Int(idLength))
    } else {
      id = nil
    }
    payload = try reader.field(.payload, Int(clamping: header.payloadLength))
  }

  /// Where TYPE starts in the message.
  package var typeOffset: Int { offset + header.byteCount }

  /// Says whether this is a first, middle or last chunk rather than a whole record.
  package var isPartOfChunkedRecord: Bool {
    header.isChunk || header.typeNameFormat == .unchanged
  }

  /// The format's own rules, chunks aside (NDEF 1.0, 3.2.6 and 3.2.10).
  func formatFault() -> NDEFError? {
    switch header.typeNameFormat {
    case .empty:
      if header.isChunk { return error(.chunkedEmptyRecord) }
      guard header.typeLength == 0, header.payloadLength == 0, (header.idLength ?? 0) == 0 else {
        return error(.emptyRecordNotEmpty)
      }
    case .unknown:
      guard header.typeLength == 0 else { return error(.unknownRecordHasType) }
    case .wellKnown, .media, .absoluteURI, .external:
      guard !type.isEmpty else { return error(.missingType(header.typeNameFormat)) }
      if let index = Record.firstUnprintable(in: type) {
        return NDEFError(
          .unprintableType(byte: type[index]), in: .message, at: typeOffset + index)
      }
    case .unchanged, .reserved:
      return nil
    }
    return nil
  }

  /// `fault`, at the first byte of this record.
  func error(_ fault: NDEFError.Fault) -> NDEFError {
    NDEFError(fault, in: .message, at: offset)
  }
}
