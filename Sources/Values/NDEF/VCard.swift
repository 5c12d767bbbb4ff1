/// A contact as a media record of type `text/vcard` (RFC 6350, RFC 2426).
public struct VCard: Hashable, Sendable {
  /// The file as it is, without a UTF-8 byte-order mark in front.
  public let bytes: [UInt8]
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A contact from the bytes of a `.vcf` file. Throws unless its first line is `BEGIN:VCARD` and
  /// its last one, empty ones aside, is `END:VCARD`, in upper or lower case.
  public init(_ file: some Sequence<UInt8>, id: [UInt8]? = nil) throws(NDEFError) {
    let file = Array(file)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    bytes = file.starts(with: mark) ? Array(file.dropFirst(mark.count)) : file
    self.id = id
    try Self.check(bytes, in: .argument)
    try Record.checkLengths(type: Self.type.utf8.count, id: id, payload: bytes.count)
  }

  /// Reads a contact of either type in use, `text/vcard` or `text/x-vcard`; throws when `record`
  /// is of another type or its payload does not begin and end as a vCard.
  public init(parsing record: Record) throws(NDEFError) {
    guard let media = try? MIMERecord(parsing: record), Self.types.contains(media.essence) else {
      throw NDEFError(.otherType(expected: "a vCard"), in: .type)
    }
    try Self.check(record.payload, in: .payload)
    bytes = record.payload
    id = record.id
  }

  /// The record, of type `text/vcard`.
  public var record: Record {
    Record(checked: .media, type: Self.type.utf8, id: id, payload: bytes)
  }

  /// The contact's name as it is to be shown, from the first property `FN`; nil without one.
  public var formattedName: String? {
    for line in Self.lines(of: bytes) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      // A property may stand in a group and have parameters: `item1.FN;CHARSET=UTF-8:…`.
      let name = ASCII.lowercased(line[..<colon].prefix { $0 != UInt8(ascii: ";") })
      if name == "fn" || name.hasSuffix(".fn") {
        return String(decoding: line[(colon + 1)...], as: UTF8.self)
      }
    }
    return nil
  }

  private static let type = "text/vcard"
  /// What readers take as a vCard; the second is older and from before its registration.
  static let types = [type, "text/x-vcard"]

  private static func check(
    _ bytes: [UInt8], in part: NDEFError.Part
  ) throws(NDEFError) {
    let lines = lines(of: bytes)
    guard let first = lines.first, ASCII.lowercased(first) == "begin:vcard" else {
      throw NDEFError(.vCardBegin, in: part)
    }
    guard let last = lines.last, ASCII.lowercased(last) == "end:vcard" else {
      throw NDEFError(.vCardEnd, in: part, at: bytes.count)
    }
  }

  /// The lines that are not empty, without the white space at their ends.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let blanks = Array(" \t".utf8)
    let breaks = Array("\r\n".utf8)
    return bytes.split(whereSeparator: breaks.contains).compactMap { line in
      var line = line
      while let last = line.last, blanks.contains(last) { line.removeLast() }
      return line.isEmpty ? nil : line
    }
  }
}
