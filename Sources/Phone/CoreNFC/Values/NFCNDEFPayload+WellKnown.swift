import Foundation
import NDEF

/// Records of the NFC Forum's own types.
extension NFCNDEFPayload {
  /// A URI record with the prefix code that makes it shortest; nil for an empty URI and one with
  /// control characters.
  public class func wellKnownTypeURIPayload(string uri: String) -> Self? {
    guard let record = try? URIRecord(uri).record else { return nil }
    return make(record)
  }

  /// Makes a URI record for a URL, with the prefix code that makes it shortest; nil for an empty
  /// URL and one with control characters.
  public class func wellKnownTypeURIPayload(url: URL) -> Self? {
    wellKnownTypeURIPayload(string: url.absoluteString)
  }

  /// A Text record in UTF-8, in the locale's language; nil where the locale names none.
  public class func wellKnownTypeTextPayload(string text: String, locale: Locale) -> Self? {
    guard let code = locale.language.languageCode?.identifier,
      let record = try? TextRecord(text, language: code).record
    else { return nil }
    return make(record)
  }

  /// The older spelling of `wellKnownTypeTextPayload(string:locale:)`.
  @available(*, deprecated, renamed: "wellKnownTypeTextPayload(string:locale:)")
  public class func wellKnowTypeTextPayload(string text: String, locale: Locale) -> Self? {
    wellKnownTypeTextPayload(string: text, locale: locale)
  }

  private class func make(_ record: Record) -> Self {
    self.init(
      format: NFCTypeNameFormat(record.typeNameFormat), type: Data(record.type),
      identifier: Data(record.id ?? []), payload: Data(record.payload))
  }

  /// The URI of a URI record; nil for any other record, and for one that is damaged.
  public func wellKnownTypeURIPayload() -> URL? {
    guard let record, let uri = try? URIRecord(parsing: record) else { return nil }
    return URL(string: uri.uri)
  }

  /// The text and the locale of a Text record; nils for any other record, and for one that is
  /// damaged.
  public func wellKnownTypeTextPayload() -> (String?, Locale?) {
    guard let record, let text = try? TextRecord(parsing: record) else { return (nil, nil) }
    return (text.text, text.language.isEmpty ? nil : Locale(identifier: text.language))
  }

  /// This is the record as the module NDEF has it; nil where the fields break the rules of their
  /// format.
  var record: Record? {
    try? Record(
      typeNameFormat.format, type: type, id: identifier.isEmpty ? nil : Array(identifier),
      payload: payload)
  }
}
