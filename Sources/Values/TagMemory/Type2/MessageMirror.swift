/// A place in a message that the tag fills in by itself as it is read: its UID, its NFC counter, or
/// both (NTAG213/215/216, 8.7; NTAG210/212, 8.7).
///
/// A message with such a place has three forms. What readers are shown; what is stored below, with
/// a placeholder that is no number, so that nobody takes it for one where the mirror is off; and
/// the form that journals and copies go by, with the tag's own UID and a counter of zeros.
package struct MessageMirror: Hashable, Sendable {
  package let content: ASCIIMirror.Content
  /// Where it starts in the message, in bytes from 0.
  package let offset: Int

  package init(_ content: ASCIIMirror.Content, offset: Int) {
    (self.content, self.offset) = (content, offset)
  }

  /// Where the placeholder of `content` stands in `message`; nil unless it stands there once.
  package init?(placeholderOf content: ASCIIMirror.Content, in message: [UInt8]) {
    let found = message.ranges(of: Array(content.placeholder.utf8))
    guard found.count == 1 else { return nil }
    self.init(content, offset: found[0].lowerBound)
  }

  /// The bytes of the message that it covers.
  package var range: Range<Int> { offset..<offset + content.byteCount }

  /// Those that show the counter; nil where it shows none.
  package var counterRange: Range<Int>? {
    content == .uid ? nil : range.upperBound - 6..<range.upperBound
  }

  /// `message` as it is stored.
  package func stored(_ message: [UInt8]) -> [UInt8] {
    replacing(message, by: Array(content.placeholder.utf8))
  }

  /// `message` with the UID of the tag that it is on, and a counter of zeros.
  package func settled(_ message: [UInt8], on uid: UID) -> [UInt8] {
    replacing(message, by: ASCIIMirror(content, page: 0, byte: 0).text(uid: uid))
  }

  private func replacing(_ message: [UInt8], by text: [UInt8]) -> [UInt8] {
    guard range.upperBound <= message.count, text.count == range.count else { return message }
    var message = message
    message.replaceSubrange(range, with: text)
    return message
  }
}

extension ASCIIMirror.Content {
  /// What is stored where it is shown: as long, and with characters that no digits are.
  package var placeholder: String {
    switch self {
    case .uid: "uidMirrored-14"
    case .counter: "cntMIR"
    case .uidAndCounter: Self.uid.placeholder + "x" + Self.counter.placeholder
    }
  }

  /// As a template spells it: `{mirror:uid}`.
  package var name: String {
    switch self {
    case .uid: "uid"
    case .counter: "counter"
    case .uidAndCounter: "uid+counter"
    }
  }

  /// In a sentence.
  package var words: String {
    switch self {
    case .uid: "its UID"
    case .counter: "its NFC counter"
    case .uidAndCounter: "its UID and its NFC counter"
    }
  }

  package init?(name: String) {
    guard let content = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = content
  }

  /// Is true if it shows the NFC counter.
  package var showsCounter: Bool { self != .uid }
}
