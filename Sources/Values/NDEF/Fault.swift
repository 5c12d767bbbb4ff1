extension NDEFError {
  /// A fault says what is wrong with a message, a record or a value; `Fault+Description.swift` has
  /// the texts.
  public indirect enum Fault: Hashable, Sendable {
    // MARK: The message, NDEF 1.0, 2.3 and 3.2

    /// No bytes, or no records.
    case emptyMessage
    /// A field of a record needs more bytes than are left.
    case truncated(Field, wanted: Int, available: Int)
    /// The first record lacks the flag MB.
    case missingMessageBegin
    /// A later record or chunk bears the flag MB.
    case repeatedMessageBegin
    /// The bytes end and no record bore the flag ME.
    case missingMessageEnd
    /// Bytes follow the record with the flag ME.
    case trailingBytes(count: Int)
    /// A record of TNF 0 has a type, an ID or a payload.
    case emptyRecordNotEmpty
    /// A record of TNF 5 has a type.
    case unknownRecordHasType
    /// A record of TNF 1 to 4 has no type.
    case missingType(TypeNameFormat)
    /// A byte of the type is not printable US-ASCII.
    case unprintableType(byte: UInt8)
    /// A type, an ID or a payload is longer than its length field can say.
    case tooLong(Field, count: Int, limit: Int)
    /// TNF 6 or 7 is not for records that are written.
    case unwritableFormat(TypeNameFormat)

    // MARK: Chunks, NDEF 1.0, 2.4

    /// TNF 6 where no chunked record is open.
    case unchangedOutsideChunks
    /// Another record starts before the last chunk of this one.
    case chunksInterrupted
    /// The bytes or the message end before the last chunk.
    case chunksUnfinished
    /// A chunk that is not the last bears the flag ME.
    case messageEndInsideChunks
    /// A middle or last chunk has a type.
    case chunkHasType
    /// A middle or last chunk has an ID length.
    case chunkHasID
    /// A record of TNF 0 bears the flag CF.
    case chunkedEmptyRecord

    // MARK: Payloads

    /// The record is of another type than the one asked for.
    case otherType(expected: String)
    /// The payload ends early.
    case shortPayload(of: String, wanted: Int, available: Int)
    /// A payload of fixed size has another size.
    case wrongSize(of: String, count: Int, expected: Int)
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// The bytes are not UTF-16: a lone surrogate or an odd number of bytes.
    case invalidUTF16
    /// A control character in a URI.
    case controlCharacter(UInt32)
    /// A URI without any character.
    case emptyURI
    /// A URI that is to be absolute begins with no scheme.
    case missingScheme
    /// A text is no address; `reason` says why, as a clause.
    case invalidAddress(String, reason: String)
    /// A URI prefix code above 23h.
    case reservedURIPrefix(UInt8)
    /// Bit 6 of a Text record's status byte is set.
    case reservedTextStatus(UInt8)
    /// A language code that is not 1 to 63 letters, digits and hyphens.
    case invalidLanguage(String)
    /// A Smart Poster holds no URI, or several.
    case smartPosterURICount(Int)
    /// A Smart Poster holds two titles in one language.
    case repeatedTitle(language: String)
    /// A Smart Poster holds two records of a type that may stand once.
    case repeatedRecord(type: String)
    /// An action code of a Smart Poster above 2.
    case reservedAction(UInt8)
    /// The record at `position`, from 1, inside a Smart Poster is malformed.
    case nested(position: Int, NDEFError)
    /// Not `type/subtype`, RFC 2046.
    case invalidMediaType(String)
    /// Neither an image nor a video.
    case invalidIcon(type: String)
    /// Not `domain:name`.
    case invalidExternalType(String)
    /// Not an Android package name.
    case invalidPackageName(String)
    /// A vCard does not begin with `BEGIN:VCARD`.
    case vCardBegin
    /// A vCard does not end with `END:VCARD`.
    case vCardEnd
    /// A Wi-Fi credential lacks an attribute.
    case missingAttribute(name: String)
    /// An SSID that is not 1 to 32 bytes.
    case ssidLength(Int)
    /// A network key that does not suit the authentication; the key itself is never kept here.
    case networkKey(length: Int)
  }

  /// A field of a record, NDEF 1.0, 3.2.
  public enum Field: String, Hashable, Sendable {
    /// The first byte: MB, ME, CF, SR, IL and TNF.
    case flags = "flag byte"
    /// TYPE_LENGTH, one byte.
    case typeLength = "type length"
    /// PAYLOAD_LENGTH, one byte or four.
    case payloadLength = "payload length"
    /// ID_LENGTH, one byte.
    case idLength = "ID length"
    /// TYPE, 0 to 255 bytes.
    case type
    /// ID, 0 to 255 bytes.
    case id = "ID"
    /// PAYLOAD.
    case payload
  }
}
