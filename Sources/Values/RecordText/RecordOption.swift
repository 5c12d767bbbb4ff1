import NDEF

/// The options of `write` that make records, in the words of the command line.
package enum RecordOption: String, Hashable, Sendable, CaseIterable {
  case uri
  case text
  /// No record: the language of the texts and titles behind it.
  case lang
  /// No record: the ID of the record before it; an empty one takes its ID away.
  case id
  case mime
  case external
  case androidApp = "android-app"
  case smartPoster = "smart-poster"
  case wifi
  case vcard
  /// The records of a message in a file.
  case ndef

  package static let names = Set(allCases.map(\.rawValue))

  /// Says whether it makes records, or only says something of those beside it.
  package var makesRecord: Bool { self != .lang && self != .id }

  /// Appends the records that `value` makes behind this option; files are read.
  package func append(
    _ value: String, to records: inout [Record], in surroundings: inout RecordSurroundings
  ) throws(RecordTextError) {
    switch self {
    case .lang: surroundings.language = try surroundings.filled(value)
    case .id: try Self.identify(&records, by: surroundings.filled(value))
    default: records += try self.records(value, &surroundings)
    }
  }

  private static func identify(
    _ records: inout [Record], by id: String
  ) throws(RecordTextError) {
    guard let last = records.last else {
      throw .badInput(
        "--id \(RecordTextError.plain(id)) gives an ID to the record before it, but there is none.")
    }
    do throws(NDEFError) {
      records[records.count - 1] = try last.identified(by: id.isEmpty ? nil : Array(id.utf8))
    } catch {
      throw .badInput(
        "--id \(RecordTextError.plain(id)): \(RecordTextError.sentence(error.description))")
    }
  }

  private func records(
    _ value: String, _ around: inout RecordSurroundings
  ) throws(RecordTextError) -> [Record] {
    if self == .text || self == .smartPoster { around.idleLanguage = nil }
    do {
      switch self {
      case .uri: return [try around.address(value).record]
      case .text:
        return [try TextRecord(around.filled(value, as: .text), language: around.language).record]
      case .lang, .id: return []
      case .mime:
        let (type, content) = try BytesArgument.splitMedia(value)
        return [try MIMERecord(type: around.filled(type), payload: around.bytes(content)).record]
      case .external: return [try Self.external(value, around)]
      case .androidApp: return [try AndroidApplicationRecord(around.filled(value)).record]
      case .smartPoster: return [try SmartPosterArgument.record(value, &around)]
      case .wifi:
        let text = KeyedText(value, names: ["password"])
        guard !Self.looksKeyed(text.value) else {
          throw RecordTextError.badInput(
            "--wifi takes SSID[,password=TEXT]: behind a comma of the SSID stands another word and \u{201C}=\u{201D}."
          )
        }
        let password = try text.parts.last.map { try around.filled($0.text) }
        return [try WiFiCredential(ssid: around.filled(text.value), passphrase: password).record]
      case .vcard: return [try VCard(around.bytes(value)).record]
      case .ndef:
        let bytes = try around.file(value)
        if let message = try? Message(parsing: bytes) {
          if message.records.contains(where: { $0.typeNameFormat == .reserved }) {
            throw RecordTextError.badInput(
              "--ndef \(Escaped.line(value, limit: 80)): A record has the reserved format (TNF 7), which is never written."
            )
          }
          return message.records
        }
        guard let mistake = MessageFile.mistake(in: bytes) else {
          return try Message(parsing: bytes).records
        }
        throw RecordTextError.badInput(
          "--ndef \(Escaped.line(value, limit: 80)): \(RecordTextError.sentence(mistake))")
      }
    } catch let error as NDEFError {
      // A network's password stands in the value: it is not repeated.
      let shown = self == .wifi ? "" : " \(Escaped.line(value, limit: 80))"
      throw .badInput("--\(rawValue)\(shown): \(RecordTextError.sentence(error.description))")
    } catch let error as RecordTextError {
      throw error
    } catch {
      throw .badInput("--\(rawValue): \(error)")
    }
  }

  /// Returns whether a part of the name of a network looks like `passwort=…`, which would make an
  /// open network and put its password into the name.
  private static func looksKeyed(_ name: String) -> Bool {
    name.split(separator: ",").dropFirst().contains { part in
      let word = part.prefix { $0 != "=" }.drop { $0 == " " }
      return part.contains("=") && !word.isEmpty && word.allSatisfy { $0.isLetter }
    }
  }

  private static func external(_ value: String, _ around: RecordSurroundings) throws -> Record {
    let form = "DOMAIN:TYPE=text or DOMAIN:TYPE=@FILE"
    let (given, content) = try BytesArgument.split(value, form: form)
    // As it is called elsewhere; a record has the rest (NFC Forum RTD 1.0, 3.3).
    let prefix = "urn:nfc:ext:"
    let type = given.lowercased().hasPrefix(prefix) ? given.dropFirst(prefix.count) : given[...]
    guard let colon = type.firstIndex(of: ":") else {
      throw RecordTextError.badInput("\(RecordTextError.quoted(value)) is not \(form).")
    }
    return try ExternalRecord(
      domain: around.filled(String(type[..<colon])),
      name: around.filled(String(type[type.index(after: colon)...])),
      payload: around.bytes(content)
    ).record
  }
}
