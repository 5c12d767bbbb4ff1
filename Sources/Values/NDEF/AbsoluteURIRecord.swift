/// An absolute URI record: TNF 3, the URI in TYPE (NFC Forum NDEF 1.0, 3.2.6).
///
/// The URI names what the payload is; phones treat it as a link nevertheless, except that
/// background reading on iOS looks at type `U` only. To write a link, use `URIRecord`.
public struct AbsoluteURIRecord: Hashable, Sendable {
  /// 1 to 255 printable US-ASCII characters.
  public let uri: String
  package let payload: [UInt8]
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A record whose type is `uri`; throws unless it begins with a scheme (RFC 3986, 3.1), is
  /// printable US-ASCII without spaces and has at most 255 bytes.
  public init(
    _ uri: String, payload: some Sequence<UInt8> = [], id: [UInt8]? = nil
  ) throws(NDEFError) {
    let type = Array(uri.utf8)
    if let index = type.firstIndex(where: { !ASCII.isGraphic($0) }) {
      throw NDEFError(.unprintableType(byte: type[index]), in: .argument, at: index)
    }
    guard Self.hasScheme(type) else { throw NDEFError(.missingScheme, in: .argument) }
    self.uri = uri
    self.payload = Array(payload)
    self.id = id
    try Record.checkLengths(type: type.count, id: id, payload: self.payload.count)
  }

  /// Reads an absolute URI record; throws when `record` is of another format. A scheme is not
  /// asked for: records that name a Windows application have none.
  public init(parsing record: Record) throws(NDEFError) {
    guard record.typeNameFormat == .absoluteURI else {
      throw NDEFError(.otherType(expected: "an absolute URI record"), in: .type)
    }
    uri = record.typeName
    payload = record.payload
    id = record.id
  }

  /// The record.
  public var record: Record {
    Record(checked: .absoluteURI, type: uri.utf8, id: id, payload: payload)
  }

  private static func hasScheme(_ uri: [UInt8]) -> Bool {
    guard let colon = uri.firstIndex(of: UInt8(ascii: ":")), ASCII.isLetter(uri[0]) else {
      return false
    }
    return uri[..<colon].allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }
}
