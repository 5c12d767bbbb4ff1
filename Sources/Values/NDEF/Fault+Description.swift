import Bytes

extension NDEFError.Fault: CustomStringConvertible {
  /// A sentence without a full stop.
  public var description: String {
    switch self {
    // The message
    case .emptyMessage: "a message holds at least one record"
    case .truncated(let field, let wanted, let available):
      "the \(field.rawValue) takes \(counted(wanted, "byte")), \(available) \(isAre(available)) left"
    case .missingMessageBegin: "the first record is not marked as the message's begin (MB)"
    case .repeatedMessageBegin: "a record after the first is marked as the message's begin (MB)"
    case .missingMessageEnd: "no record is marked as the message's end (ME)"
    case .trailingBytes(let count):
      "\(counted(count, "byte")) \(count == 1 ? "stands" : "stand") after the message's end (ME)"
    case .emptyRecordNotEmpty: "an empty record (TNF 0) has no type, no ID and no payload"
    case .unknownRecordHasType: "a record of unknown type (TNF 5) has no type"
    case .missingType(let format):
      "a record of format \(format) (TNF \(format.rawValue)) needs a type"
    case .unprintableType(let byte):
      "a record type is printable US-ASCII, not \(Self.hex(byte))"
    case .tooLong(let field, let count, let limit):
      "the \(field.rawValue) has \(counted(count, "byte")), \(limit) is the most"
    case .unwritableFormat(let format):
      "a record of format \(format) (TNF \(format.rawValue)) cannot be written"

    // Chunks
    case .unchangedOutsideChunks: "TNF 6 stands where no chunked record is open"
    case .chunksInterrupted: "another record starts before the last chunk of the chunked one"
    case .chunksUnfinished: "the last chunk of a chunked record is missing"
    case .messageEndInsideChunks:
      "a chunk that is not the last is marked as the message's end (ME)"
    case .chunkHasType: "a chunk after the first has a type"
    case .chunkHasID: "a chunk after the first has an ID length"
    case .chunkedEmptyRecord: "an empty record (TNF 0) cannot be in chunks"

    // URI, Text and Smart Poster records
    case .invalidUTF8: "the text is not UTF-8"
    case .invalidUTF16: "the text is not UTF-16"
    case .controlCharacter(let scalar):
      "a control character (U+\(Self.fourDigits(scalar))) does not belong in a URI"
    case .emptyURI: "the URI is empty"
    case .missingScheme: "an absolute URI begins with a scheme and a colon"
    case .invalidAddress(let text, let reason): "\(Escaped.quote(text)) is not a URL: \(reason)"
    case .reservedURIPrefix(let code): "\(Self.hex(code)) is not a URI prefix code (00h to 23h)"
    case .reservedTextStatus(let status):
      "bit 6 of a Text record's status byte is reserved, the byte is \(Self.hex(status))"
    case .invalidLanguage(let code):
      "a language code is 1 to 63 letters, digits and hyphens, not \(Escaped.quote(code))"
    case .smartPosterURICount(0): "a Smart Poster holds one URI record, this one holds none"
    case .smartPosterURICount(let count):
      "a Smart Poster holds one URI record, this one holds \(count)"
    case .repeatedTitle(let language):
      "a Smart Poster holds one title per language, \(Escaped.quote(language)) stands twice"
    case .repeatedRecord(let type):
      "a Smart Poster holds one record of type \(Escaped.quote(type)), this one holds several"
    case .reservedAction(let code): "\(Self.hex(code)) is not a Smart Poster action (00h to 02h)"
    case .nested(let position, let error): "record \(position) inside is malformed, \(error)"

    // Payloads of any kind, media and external records
    case .otherType(let expected): "the record is not \(expected)"
    case .shortPayload(let what, let wanted, let available):
      "the \(what) takes \(counted(wanted, "byte")), \(available) \(isAre(available)) left"
    case .wrongSize(let what, let count, let expected):
      "the \(what) takes \(counted(expected, "byte")), not \(count)"
    case .invalidMediaType(let type): "\(Escaped.quote(type)) is not a media type (type/subtype)"
    case .invalidIcon(let type): "an icon is an image or a video, not \(Escaped.quote(type))"
    case .invalidExternalType(let type):
      "\(Escaped.quote(type)) is not an external type (domain:name)"
    case .invalidPackageName(let name): "\(Escaped.quote(name)) is not an Android package name"
    case .vCardBegin: "a vCard begins with the line BEGIN:VCARD"
    case .vCardEnd: "a vCard ends with the line END:VCARD"
    case .missingAttribute(let name): "the Wi-Fi record has no \(name)"
    case .ssidLength(let count): "an SSID has 1 to 32 bytes, not \(count)"
    case .networkKey(let length):
      "a network key of \(counted(length, "byte")) does not suit the authentication"
        + " (open: none; WPA-Personal: 8 to 63 printable characters or 64 hexadecimal digits)"
    }
  }

  private static func hex(_ byte: UInt8) -> String { Hex.byte(byte).uppercased() + "h" }

  private static func fourDigits(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
