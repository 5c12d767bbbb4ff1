import NDEF
import RecordText
import TagMemory

extension MessageTemplate {
  /// The message for one tag. Fails when a field is left that no tag fills, when the text makes no
  /// records, and when a file that it names cannot be read.
  package func message(
    for fields: TagFields, files: MessageFiles = MessageFiles()
  ) throws(RecordTextError) -> Message {
    try filled(for: fields, files: files).message
  }

  /// Returns the message for one tag where no record is in a file; fails where one is.
  package func messageWithoutFiles(for fields: TagFields) throws(RecordTextError) -> Message {
    try filled(
      for: fields,
      reading: { (path) throws(RecordTextError) -> [UInt8] in
        throw RecordTextError(.noInput, "The record is in the file \(path).")
      }
    ).message
  }

  /// Returns the message for one tag, and the addresses in it that were changed on their way into
  /// records.
  func filled(
    for fields: TagFields, files: MessageFiles
  ) throws(RecordTextError) -> (message: Message, altered: [AlteredAddress]) {
    try filled(for: fields, reading: files.bytes)
  }

  private func filled(
    for fields: TagFields, reading read: @escaping (String) throws(RecordTextError) -> [UInt8]
  ) throws(RecordTextError) -> (message: Message, altered: [AlteredAddress]) {
    guard !isImage else {
      throw RecordTextError(.badInput, "The job is a whole memory, and no message.")
    }
    var surroundings = RecordSurroundings(
      fill: { text, _ throws(RecordTextError) in try Self.fill(text, fields, reading: read) },
      read: read)
    var result: [NDEF.Record] = []
    for record in records {
      try record.kind.append(record.text, to: &result, in: &surroundings)
    }
    try surroundings.check()
    do {
      return (try Message(result), surroundings.altered)
    } catch {
      throw RecordTextError(.badInput, "There is no record to write.")
    }
  }

  /// How many bytes the message has at most, for a UID of so many bytes: 10 is the longest there
  /// is.
  package func longestLength(
    uidByteCount: Int = 10, number: Int = 1, files: MessageFiles = MessageFiles()
  ) throws(RecordTextError) -> Int {
    try message(for: .longest(uidByteCount: uidByteCount, number: number), files: files).byteCount
  }

  /// What a field is filled with.
  package enum Filling {
    /// The job's number.
    case counter
    /// What only a tag, or the day, can say.
    case tag
  }

  /// Returns whether a field is left that is filled so; true also of a text that cannot be read.
  package func hasField(_ filling: Filling) -> Bool {
    for record in records where record.text.utf8.contains(UInt8(ascii: "{")) {
      guard let fields = try? Template(record.text).fields else { return true }
      for name in fields {
        guard let field = try? TagField(name) else { return true }
        switch (field, filling) {
        case (.counter, .counter), (.uid, .tag), (.date, .tag), (.mirror, .tag), (.random, .tag):
          return true
        case (.hmac(let field), .tag): if field.input == .uid { return true }
        default: break
        }
      }
    }
    return false
  }

  /// What the tag is to fill in of the message, a mirror of an NTAG 21x; nil where it fills none
  /// in.
  package var mirrored: ASCIIMirror.Content? {
    for record in records where record.text.utf8.contains(UInt8(ascii: "{")) {
      for name in (try? Template(record.text).fields) ?? [] {
        if case .mirror(let content)? = try? TagField(name) { return content }
      }
    }
    return nil
  }

  /// Is true if no record has a field, so that all rows make one message.
  package var hasNoField: Bool {
    records.allSatisfy { !$0.text.utf8.contains(UInt8(ascii: "{")) }
  }

  /// Returns whether every tag gets another message by a field that differs from tag to tag.
  func isUniqueForEachTag() throws(RecordTextError) -> Bool {
    for record in records where record.text.utf8.contains(UInt8(ascii: "{")) {
      for field in try Template(record.text).fields where try TagField(field)?.isUnique == true {
        return true
      }
    }
    return false
  }

  /// The place in the message that the tag fills in by itself (`{mirror:uid}`), for any tag with a
  /// UID of so many bytes; nil where there is none. Fails where there are several.
  package func mirror(
    for fields: TagFields, files: MessageFiles = MessageFiles()
  ) throws(RecordTextError) -> MessageMirror? {
    var contents: [ASCIIMirror.Content] = []
    for record in records where record.text.utf8.contains(UInt8(ascii: "{")) {
      for field in try Template(record.text).fields {
        if case .mirror(let content)? = try TagField(field) { contents.append(content) }
      }
    }
    guard let content = contents.first else { return nil }
    guard contents.count == 1 else {
      throw RecordTextError(.badInput, MirrorTemplateError.several.sentence)
    }
    // A day has as many characters as any other.
    var filled = TagFields(uid: fields.uid, number: fields.number, made: TagFields.anyDay)
    filled.hasPlaceholders = true
    let bytes = try message(for: filled, files: files).serialize()
    guard let mirror = MessageMirror(placeholderOf: content, in: bytes) else {
      throw RecordTextError(
        .badInput, "The place {mirror:\(content.name)} does not stand in the message as it is.")
    }
    return mirror
  }

  /// What people call it: the first URI, else the first text.
  var title: String? {
    if isImage { return imageTitle }
    let made = records.filter { (try? $0.kind)?.makesRecord ?? true }
    return (made.first { $0.option == "uri" } ?? made.first)?.text
  }

  private static func fill(
    _ text: String, _ fields: TagFields,
    reading read: (String) throws(RecordTextError) -> [UInt8]
  ) throws(RecordTextError) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
      return text
    }
    var result = ""
    // The text of the field right before; nil where text stands there.
    var before: String?
    for piece in try Template(text).pieces {
      switch piece {
      case .text(let text):
        result += text
        before = nil
      case .field(let name):
        guard let field = try TagField(name) else {
          throw RecordTextError(.badInput, "No column fills the field {\(name)}.")
        }
        let filled = try field.text(fields, behind: before, reading: read)
        result += filled
        before = filled
      }
    }
    return result
  }
}

extension MessageTemplate.Record {
  /// The option by its name. Fails for an unknown one.
  var kind: RecordOption {
    get throws(RecordTextError) {
      guard let kind = RecordOption(rawValue: option) else {
        throw RecordTextError(.badInput, "--\(option) makes no record.")
      }
      return kind
    }
  }
}
