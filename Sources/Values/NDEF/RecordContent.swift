/// The content is what a record says, decoded as far as its type is known.
public enum RecordContent: Hashable, Sendable {
  /// A URI record (RTD URI 1.0).
  case uri(URIRecord)
  /// A Text record (RTD Text 1.0).
  case text(TextRecord)
  /// A Smart Poster (RTD Smart Poster 1.1).
  case smartPoster(SmartPosterRecord)
  /// A media record, TNF 2.
  case mime(MIMERecord)
  /// An external record, TNF 4.
  case external(ExternalRecord)
  /// An Android application record, `android.com:pkg`.
  case androidApplication(AndroidApplicationRecord)
  /// An absolute URI, TNF 3.
  case absoluteURI(AbsoluteURIRecord)
  /// A Wi-Fi credential (Wi-Fi Simple Configuration 2.0).
  case wifi(WiFiCredential)
  /// A contact, `text/vcard`.
  case vCard(VCard)
  /// An empty record, TNF 0.
  case empty
  /// A record of unknown type, or of a well-known type that is not read here.
  case unknown(Record)
  /// A record of a known type that breaks its rules.
  case malformed(Malformed)

  /// A record of a known type that breaks its rules.
  public struct Malformed: Hashable, Sendable {
    /// The record as it is.
    public let record: Record
    /// Why it has no meaning: the first fault.
    public let error: NDEFError
    /// What can be told of a URI, a text or a Smart Poster's URI; nil for other records.
    package let salvagedText: String?
  }

  /// Decodes `record`.
  public init(_ record: Record) {
    do throws(NDEFError) {
      self = try Self.decode(record)
    } catch {
      self = .malformed(
        Malformed(record: record, error: error, salvagedText: Self.salvage(record)))
    }
  }

  private static func decode(_ record: Record) throws(NDEFError) -> RecordContent {
    switch (record.typeNameFormat, record.typeName) {
    case (.empty, _): .empty
    case (.wellKnown, "U"): .uri(try URIRecord(parsing: record))
    case (.wellKnown, "T"): .text(try TextRecord(parsing: record))
    case (.wellKnown, "Sp"): .smartPoster(try SmartPosterRecord(parsing: record))
    case (.media, _): try decode(MIMERecord(parsing: record), of: record)
    case (.absoluteURI, _): .absoluteURI(try AbsoluteURIRecord(parsing: record))
    case (.external, _):
      if AndroidApplicationRecord.matches(record) {
        .androidApplication(try AndroidApplicationRecord(parsing: record))
      } else {
        .external(try ExternalRecord(parsing: record))
      }
    case (.wellKnown, _), (.unknown, _), (.unchanged, _), (.reserved, _): .unknown(record)
    }
  }

  private static func decode(
    _ media: MIMERecord, of record: Record
  ) throws(NDEFError) -> RecordContent {
    if VCard.types.contains(media.essence) { return .vCard(try VCard(parsing: record)) }
    if media.essence == WiFiCredential.type { return .wifi(try WiFiCredential(parsing: record)) }
    return .mime(media)
  }

  private static func salvage(_ record: Record) -> String? {
    let text =
      if record.isWellKnown("Sp") {
        RawMessage(parsing: record.payload).joinedRecords().lazy
          .compactMap { URIRecord.salvage($0) }.first
      } else {
        URIRecord.salvage(record) ?? TextRecord.salvage(record)
      }
    return text?.isEmpty == true ? nil : text
  }
}

extension Record {
  /// The content is what the record says, decoded as far as its type is known.
  public var content: RecordContent { RecordContent(self) }
}
