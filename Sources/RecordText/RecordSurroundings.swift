import NDEF

/// What the records of a message take from around them.
package struct RecordSurroundings {
  /// The language of texts and titles that name none.
  package var language: String
  /// What a piece of text says in the end. It is asked after the text was taken apart, so that what
  /// it fills in names no file and divides nothing.
  let fill: (String) throws(RecordTextError) -> String
  /// The bytes of the file at a path.
  let read: (String) throws(RecordTextError) -> [UInt8]
  /// The addresses that were changed on their way into records.
  package private(set) var altered: [AlteredAddress] = []

  package init(
    language: String = "en",
    fill: @escaping (String) throws(RecordTextError) -> String = { $0 },
    read: @escaping (String) throws(RecordTextError) -> [UInt8]
  ) {
    self.language = language
    self.fill = fill
    self.read = read
  }

  /// The file's bytes behind `@`, otherwise the text itself in UTF-8.
  func bytes(_ value: String) throws(RecordTextError) -> [UInt8] {
    value.hasPrefix("@") ? try file(String(value.dropFirst())) : Array(try fill(value).utf8)
  }

  /// The URI record of `text`; remembers what was changed.
  mutating func address(_ text: String) throws(RecordTextError) -> URIRecord {
    let (record, change) = try AddressArgument.record(text)
    if let change { altered.append(change) }
    return record
  }

  func file(_ path: String) throws(RecordTextError) -> [UInt8] { try read(try fill(path)) }
}
