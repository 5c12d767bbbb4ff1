import NDEF

/// What the records of a message take from around them.
package struct RecordSurroundings {
  /// What a piece of text is for.
  package enum Use: Hashable, Sendable {
    /// A URL.
    case address
    /// What people read: a text, or a title.
    case text
    /// A name, a type, bytes, a password, a file.
    case other
  }

  /// The language of texts and titles that name none.
  package var language: String {
    didSet { idleLanguage = language }
  }
  /// The language that no text or title has taken yet; nil: each has been.
  var idleLanguage: String?
  /// What a piece of text says in the end. It is asked after the text was taken apart, so that what
  /// it fills in names no file and divides nothing.
  private let fill: (String, Use) throws(RecordTextError) -> String
  /// The bytes of the file at a path.
  let read: (String) throws(RecordTextError) -> [UInt8]
  /// The addresses that were changed on their way into records.
  package private(set) var altered: [AlteredAddress] = []

  package init(
    language: String = "en",
    fill: @escaping (String, Use) throws(RecordTextError) -> String = Self.withoutFields,
    read: @escaping (String) throws(RecordTextError) -> [UInt8]
  ) {
    self.language = language
    self.fill = fill
    self.read = read
  }

  /// Text of a command whose fields nobody fills in.
  package static func withoutFields(
    _ text: String, _ use: Use
  ) throws(RecordTextError) -> String {
    switch use {
    case .address: try Braces.address(text)
    case .text: try Braces.text(text)
    case .other: text
    }
  }

  /// Fails for a language behind which no text and no title stands: it would go nowhere.
  package func check() throws(RecordTextError) {
    guard let idleLanguage else { return }
    throw .badInput(
      "--lang \(RecordTextError.plain(idleLanguage)) is the language of the texts and titles behind it, and there are none: put it before --text."
    )
  }

  /// Returns what `text` says in the end.
  func filled(_ text: String, as use: Use = .other) throws(RecordTextError) -> String {
    try fill(text, use)
  }

  /// The file's bytes behind `@`, otherwise the text itself in UTF-8.
  func bytes(_ value: String) throws(RecordTextError) -> [UInt8] {
    value.hasPrefix("@") ? try file(String(value.dropFirst())) : Array(try filled(value).utf8)
  }

  /// The URI record of `text`, filled; remembers what was changed.
  mutating func address(_ text: String) throws(RecordTextError) -> URIRecord {
    let (record, change) = try AddressArgument.record(filled(text, as: .address))
    if let change { altered.append(change) }
    return record
  }

  func file(_ path: String) throws(RecordTextError) -> [UInt8] { try read(try filled(path)) }
}
