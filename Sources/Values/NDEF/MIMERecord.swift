/// A media record: TNF 2, a media type in TYPE (NFC Forum NDEF 1.0, 3.2.6; RFC 2046).
public struct MIMERecord: Hashable, Sendable {
  /// The media type as it is written, parameters included: `text/plain;charset=utf-8`.
  public let type: String
  /// The content of that type.
  public let payload: [UInt8]
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A record of `payload`; throws when `type` is not `type/subtype`, or is over 255 bytes.
  public init(
    type: String, payload: some Sequence<UInt8>, id: [UInt8]? = nil
  ) throws(NDEFError) {
    guard Self.isMediaType(type) else {
      throw NDEFError(.invalidMediaType(type), in: .argument)
    }
    self.type = type
    self.payload = Array(payload)
    self.id = id
    try Record.checkLengths(type: type.utf8.count, id: id, payload: self.payload.count)
  }

  /// Reads a media record; throws when `record` is of another format or its type has no
  /// `type/subtype`.
  public init(parsing record: Record) throws(NDEFError) {
    guard record.typeNameFormat == .media else {
      throw NDEFError(.otherType(expected: "a media record"), in: .type)
    }
    type = record.typeName
    guard Self.isMediaType(type) else { throw NDEFError(.invalidMediaType(type), in: .type) }
    payload = record.payload
    id = record.id
  }

  /// The record.
  public var record: Record { Record(checked: .media, type: type.utf8, id: id, payload: payload) }

  /// `type` in lower case without parameters: media types are compared without case.
  package var essence: String {
    ASCII.lowercased(type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") })
  }

  /// `type/subtype` of RFC 2045 tokens, then anything printable after a semicolon.
  static func isMediaType(_ type: String) -> Bool {
    guard type.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
    let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    let rest = type.utf8.dropFirst(essence.count).drop { $0 == UInt8(ascii: " ") }
    guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return false }
    let names = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.count == 2 && names.allSatisfy { !$0.isEmpty && $0.allSatisfy(isToken) }
  }

  private static let specials = Set("()<>@,;:\\\"/[]?=".utf8)

  private static func isToken(_ byte: UInt8) -> Bool {
    ASCII.isGraphic(byte) && !specials.contains(byte)
  }
}
