/// A URI record: well-known type `U` (NFC Forum URI RTD 1.0, 3.2).
///
///     byte   payload
///     0      prefix code, `URIPrefix`
///     1…     the rest of the URI in UTF-8
public struct URIRecord: Hashable, Sendable {
  /// The whole URI, its prefix spelled out.
  public let uri: String
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A record of `uri` as it is given, international characters included. Throws for an empty URI
  /// and for control characters.
  public init(_ uri: String, id: [UInt8]? = nil) throws(NDEFError) {
    self.uri = uri
    self.id = id
    try Self.check(uri, in: .argument)
    try Record.checkLengths(type: 1, id: id, payload: 1 + uri.utf8.count)
  }

  /// Reads a URI record. Throws when `record` is of another type, and when the prefix code is
  /// reserved, the rest is not UTF-8, a control character stands in it, or the URI is empty.
  public init(parsing record: Record) throws(NDEFError) {
    guard record.isWellKnown("U") else {
      throw NDEFError(.otherType(expected: "a URI record"), in: .type)
    }
    guard let code = record.payload.first else {
      throw NDEFError(
        .shortPayload(of: "URI prefix code", wanted: 1, available: 0), in: .payload)
    }
    guard let prefix = URIPrefix.text(of: code) else {
      throw NDEFError(.reservedURIPrefix(code), in: .payload)
    }
    let rest = try Decoding.utf8(record.payload.dropFirst(), at: 1)
    uri = prefix + rest
    id = record.id
    // No prefix has a control character, so offsets in `rest` are those of the payload, less one.
    try Self.check(rest, in: .payload, at: 1, allowsEmpty: !prefix.isEmpty)
  }

  /// The record, with the prefix code that makes it shortest.
  public var record: Record {
    let code = URIPrefix.code(for: uri)
    let rest = uri.utf8.dropFirst(URIPrefix.table[Int(code)].utf8.count)
    return Record(checked: .wellKnown, type: "U".utf8, id: id, payload: [code] + Array(rest))
  }

  /// The text of a URI record that cannot be read: a reserved prefix code counts as no prefix,
  /// bytes that are not UTF-8 as U+FFFD. Nil for other types and without payload.
  package static func salvage(_ record: Record) -> String? {
    guard record.isWellKnown("U"), let code = record.payload.first else { return nil }
    let rest = String(decoding: record.payload.dropFirst(), as: UTF8.self)
    return (URIPrefix.text(of: code) ?? "") + rest
  }

  static func check(
    _ text: String, in part: NDEFError.Part, at start: Int = 0, allowsEmpty: Bool = false
  ) throws(NDEFError) {
    if text.isEmpty, !allowsEmpty { throw NDEFError(.emptyURI, in: part, at: start) }
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return }
    var offset = start
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        throw NDEFError(.controlCharacter(scalar.value), in: part, at: offset)
      }
      offset += UTF8.width(scalar)
    }
  }
}
