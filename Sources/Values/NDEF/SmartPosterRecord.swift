import Bytes

/// A Smart Poster: well-known type `Sp`, whose payload is a message of its own (NFC Forum Smart
/// Poster RTD 1.0, 3).
///
///     record inside   count             payload
///     U               1                 the URI
///     T               1 per language    a title
///     act             0 or 1            1 byte, `Action`
///     s               0 or 1            4 bytes, size of what the URI points at, high byte first
///     t               0 or 1            its media type in UTF-8
///     image, video    any               an icon
///
/// Only these are read; a Smart Poster inside a Smart Poster stays a `Record` in `others`, so
/// reading never goes deeper than one level.
public struct SmartPosterRecord: Hashable, Sendable {
  /// An action says what a device is asked to do with the URI (3.3.3).
  public enum Action: UInt8, Hashable, Sendable, CaseIterable {
    /// Open it, dial it, send it.
    case perform = 0
    /// Save it: as a bookmark, in the inbox, as a contact.
    case save = 1
    /// Open it for editing.
    case edit = 2
  }

  /// The one URI of the poster.
  public let uri: URIRecord
  /// At most one per language, languages compared without case.
  public let titles: [TextRecord]
  /// The action says what to do with the URI; nil: the poster does not say.
  public let action: Action?
  /// In bytes.
  public let size: UInt32?
  /// The media type of what the URI points at.
  public let mediaType: String?
  /// Media records of images and videos.
  public let icons: [MIMERecord]
  /// Records inside that the RTD does not know: readers pass over them, `record` keeps them.
  package let others: [Record]
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A Smart Poster to be written. Throws for two titles in one language, for a media type that is
  /// not `type/subtype`, and for an icon that is neither an image nor a video.
  public init(
    uri: URIRecord, titles: [TextRecord] = [], action: Action? = nil, size: UInt32? = nil,
    mediaType: String? = nil, icons: [MIMERecord] = [], id: [UInt8]? = nil
  ) throws(NDEFError) {
    if let language = Self.repeatedLanguage(in: titles) {
      throw NDEFError(.repeatedTitle(language: language), in: .argument)
    }
    if let mediaType, !MIMERecord.isMediaType(mediaType) {
      throw NDEFError(.invalidMediaType(mediaType), in: .argument)
    }
    if let icon = icons.first(where: { !Self.isIcon($0) }) {
      throw NDEFError(.invalidIcon(type: icon.type), in: .argument)
    }
    self.uri = uri
    self.titles = titles
    self.action = action
    self.size = size
    self.mediaType = mediaType
    self.icons = icons
    others = []
    self.id = id
    try Record.checkLengths(type: 2, id: id, payload: contents.byteCount)
  }

  /// Reads a Smart Poster. Throws when `record` is of another type, its payload is not a message,
  /// a record inside is malformed, or one stands there more often than the table above says.
  public init(parsing record: Record) throws(NDEFError) {
    var parts = SmartPosterParts()
    try parts.collect(from: record)
    guard parts.uris.count == 1, let uri = parts.uris.first else {
      throw NDEFError(.smartPosterURICount(parts.uris.count), in: .payload)
    }
    if let language = Self.repeatedLanguage(in: parts.titles) {
      throw NDEFError(.repeatedTitle(language: language), in: .payload)
    }
    self.uri = uri
    titles = parts.titles
    action = parts.action
    size = parts.size
    mediaType = parts.mediaType
    icons = parts.icons
    others = parts.others
    id = record.id
  }

  /// The record: the URI first, then titles, action, icons, size, type and the rest.
  public var record: Record {
    Record(checked: .wellKnown, type: "Sp".utf8, id: id, payload: contents.serialize())
  }

  private var contents: Message {
    var records = [uri.record] + titles.map(\.record)
    func append(_ type: String, _ payload: [UInt8]) {
      records.append(Record(checked: .wellKnown, type: type.utf8, id: nil, payload: payload))
    }
    if let action { append("act", [action.rawValue]) }
    records += icons.map(\.record)
    if let size {
      var writer = ByteWriter()
      writer.write(size)
      append("s", writer.bytes)
    }
    if let mediaType { append("t", Array(mediaType.utf8)) }
    records += others
    return Message(checked: records)
  }

  static func isIcon(_ record: MIMERecord) -> Bool {
    record.essence.hasPrefix("image/") || record.essence.hasPrefix("video/")
  }

  private static func repeatedLanguage(in titles: [TextRecord]) -> String? {
    var seen: Set<String> = []
    return titles.first { !seen.insert(ASCII.lowercased($0.language.utf8)).inserted }?.language
  }
}
