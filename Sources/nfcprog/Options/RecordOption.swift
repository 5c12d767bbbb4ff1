import NDEF

/// The options of `write` that make records, in the words of the command line.
enum RecordOption: String, CaseIterable {
  case uri
  case text
  /// No record: the language of the texts and titles behind it.
  case lang
  case mime
  case external
  case androidApp = "android-app"
  case smartPoster = "smart-poster"
  case wifi
  case vcard
  /// The records of a message in a file.
  case ndef

  static let names = Set(allCases.map(\.rawValue))

  /// The records that `value` makes behind this option; files are read. Fails with `badInput` or `noInput`.
  func records(_ value: String, language: String) throws(CommandFailure) -> [Record] {
    do {
      switch self {
      case .uri: return [try LinkArgument.record(value).record]
      case .text: return [try TextRecord(value, language: language).record]
      case .lang: return []
      case .mime:
        let (type, content) = try Self.pair(value, of: "TYPE=text or TYPE=@FILE")
        return [try MIMERecord(type: type, payload: try BytesArgument.bytes(content)).record]
      case .external: return [try Self.external(value)]
      case .androidApp: return [try AndroidApplicationRecord(value).record]
      case .smartPoster: return [try SmartPosterArgument.record(value, language: language)]
      case .wifi:
        let text = KeyedText(value, names: ["password"])
        let password = text.parts.last?.text
        return [try WiFiCredential(ssid: text.value, passphrase: password).record]
      case .vcard: return [try VCard(try BytesArgument.bytes(value)).record]
      case .ndef: return try Message(parsing: try Files.read(value)).records
      }
    } catch let error as NDEFError {
      // A network's password stands in the value: it is not repeated.
      let shown = self == .wifi ? "" : " \(value)"
      throw CommandFailure(.badInput, "--\(rawValue)\(shown): \(sentence(error.description))")
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.bug, "\(error)")
    }
  }

  private static func external(_ value: String) throws -> Record {
    let form = "DOMAIN:TYPE=text or DOMAIN:TYPE=@FILE"
    let (type, content) = try pair(value, of: form)
    guard let colon = type.firstIndex(of: ":") else {
      throw CommandFailure(.badInput, "\u{201C}\(value)\u{201D} is not \(form).")
    }
    return try ExternalRecord(
      domain: String(type[..<colon]), name: String(type[type.index(after: colon)...]),
      payload: try BytesArgument.bytes(content)
    ).record
  }

  private static func pair(
    _ value: String, of form: String
  ) throws(CommandFailure) -> (String, String) {
    guard let pair = BytesArgument.split(value) else {
      throw CommandFailure(.badInput, "\u{201C}\(value)\u{201D} is not \(form).")
    }
    return pair
  }
}
