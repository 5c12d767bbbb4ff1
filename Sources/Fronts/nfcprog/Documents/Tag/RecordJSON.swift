import Bytes
import NDEF

/// One record: its fields, and what it says where its type is known.
struct RecordJSON: Encodable, Equatable {
  /// The type name format, 0 to 7.
  var tnf: UInt8
  var type: String
  /// Hexadecimal; empty where there is none.
  var id: String
  /// Hexadecimal.
  var payload: String
  /// The link of a URI record, a Smart Poster or an absolute URI record, prefix spelled out.
  var uri: String?
  var text: String?
  var language: String?
  /// Of an Android application record.
  var package: String?
  /// Of a Wi-Fi network; its password is in the payload only.
  var ssid: String?
  /// Titles of a Smart Poster.
  var titles: [Title]?
  /// What breaks the rules of the record's type.
  var fault: String?

  struct Title: Encodable, Equatable {
    var text: String
    var language: String
  }

  init(_ record: Record) {
    tnf = record.typeNameFormat.rawValue
    type = record.typeName
    id = Hex.string(record.id ?? [])
    payload = Hex.string(record.payload)
    switch record.content {
    case .uri(let link): uri = link.uri
    case .absoluteURI(let link): uri = link.uri
    case .text(let content): (text, language) = (content.text, content.language)
    case .smartPoster(let poster):
      uri = poster.uri.uri
      titles = poster.titles.map { Title(text: $0.text, language: $0.language) }
    case .androidApplication(let application): package = application.packageName
    case .wifi(let network): ssid = network.networkName
    case .malformed(let malformed): fault = malformed.error.description
    case .mime, .external, .vCard, .empty, .unknown: break
    }
  }
}
