import NDEF

/// `--smart-poster URL[,title=TEXT][,title:LANG=TEXT][,action=open|save|edit][,size=N][,type=MIME][,icon=TYPE=@FILE]`.
enum SmartPosterArgument {
  static func record(_ value: String, language: String) throws -> Record {
    let text = KeyedText(value, names: ["title", "action", "size", "type", "icon"])
    var titles: [TextRecord] = []
    var icons: [MIMERecord] = []
    var action: SmartPosterRecord.Action?
    var size: UInt32?
    var mediaType: String?
    for part in text.parts {
      switch part.name {
      case "title": titles.append(try TextRecord(part.text, language: part.tag ?? language))
      case "icon": icons.append(try icon(part.text))
      case "type": mediaType = part.text
      case "size":
        guard let number = UInt32(part.text) else { throw refusal(part, "a number of bytes") }
        size = number
      default:
        guard let known = actions[part.text] else { throw refusal(part, "open, save or edit") }
        action = known
      }
    }
    return try SmartPosterRecord(
      uri: try LinkArgument.record(text.value), titles: titles, action: action, size: size,
      mediaType: mediaType, icons: icons
    ).record
  }

  private static let actions: [String: SmartPosterRecord.Action] = [
    "open": .perform, "save": .save, "edit": .edit,
  ]

  private static func icon(_ text: String) throws -> MIMERecord {
    guard let (type, content) = BytesArgument.split(text) else {
      throw CommandFailure(.badInput, "icon= takes TYPE=@FILE, not \u{201C}\(text)\u{201D}.")
    }
    return try MIMERecord(type: type, payload: try BytesArgument.bytes(content))
  }

  private static func refusal(_ part: KeyedText.Part, _ wanted: String) -> CommandFailure {
    CommandFailure(.badInput, "\(part.name)= takes \(wanted), not \u{201C}\(part.text)\u{201D}.")
  }
}
