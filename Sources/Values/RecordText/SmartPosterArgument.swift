import NDEF

/// `--smart-poster URL` with any of `,title=TEXT`, `,title:LANG=TEXT`, `,action=open|save|edit`,
/// `,size=N`, `,type=MIME` and `,icon=TYPE=@FILE`.
package enum SmartPosterArgument {
  /// The URL in `value`.
  package static func url(of value: String) -> String { parts(of: value).value }

  private static func parts(of value: String) -> KeyedText {
    KeyedText(value, names: ["title", "action", "size", "type", "icon"])
  }

  static func record(_ value: String, _ around: inout RecordSurroundings) throws -> Record {
    let text = parts(of: value)
    var titles: [TextRecord] = []
    var icons: [MIMERecord] = []
    var action: SmartPosterRecord.Action?
    var size: UInt32?
    var mediaType: String?
    for part in text.parts {
      switch part.name {
      case "title":
        let language = try part.tag.map { try around.filled($0) } ?? around.language
        titles.append(try TextRecord(around.filled(part.text, as: .text), language: language))
      case "icon":
        let (type, content) = try BytesArgument.split(part.text, form: "icon=TYPE=@FILE")
        icons.append(try MIMERecord(type: around.filled(type), payload: around.bytes(content)))
      case "type": mediaType = try around.filled(part.text)
      case "size":
        let text = try around.filled(part.text)
        guard let number = UInt32(text) else { throw refusal(part.name, "a number of bytes", text) }
        size = number
      default:
        let text = try around.filled(part.text)
        guard let known = actions[text] else {
          throw refusal(part.name, "open, save or edit", text)
        }
        action = known
      }
    }
    return try SmartPosterRecord(
      uri: around.address(text.value), titles: titles, action: action, size: size,
      mediaType: mediaType, icons: icons
    ).record
  }

  private static let actions: [String: SmartPosterRecord.Action] = [
    "open": .perform, "save": .save, "edit": .edit,
  ]

  private static func refusal(_ name: String, _ wanted: String, _ text: String) -> RecordTextError {
    .badInput("\(name)= takes \(wanted), not \(RecordTextError.quoted(text)).")
  }
}
