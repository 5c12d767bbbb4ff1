import Bytes

extension Record {
  /// One line for a person: what the record is and says, and its ID where it has one: as text, or
  /// in hexadecimal where it is none.
  public var summary: String {
    guard let id, !id.isEmpty else { return content.summary }
    let name = String(validating: id, as: UTF8.self).map { Escaped.quote($0, limit: 255) }
    return content.summary + ", ID " + (name ?? Hex.string(id).uppercased())
  }
}

extension RecordContent: CustomStringConvertible {
  public var description: String { summary }

  /// One line for a person: what the record is and says. Foreign text stands between quotation
  /// marks, its control characters as code points; network keys are left out.
  public var summary: String {
    switch self {
    case .uri(let record):
      "URI \(Escaped.line(record.uri))"
    case .text(let record):
      "text \(Escaped.quote(record.text)), "
        + (record.language.isEmpty ? "language not named" : Escaped.line(record.language))
    case .smartPoster(let record):
      Self.summary(of: record)
    case .mime(let record):
      "media \(Escaped.line(record.type)), \(Self.count(record.payload))"
    case .external(let record):
      "external \(Escaped.line(record.typeName)), \(Self.count(record.payload))"
    case .androidApplication(let record):
      "Android application \(record.packageName)"
    case .absoluteURI(let record):
      "absolute URI \(Escaped.line(record.uri)), \(Self.count(record.payload))"
    case .wifi(let credential):
      credential.description
    case .vCard(let card):
      card.formattedName.map { "vCard of \(Escaped.quote($0))" } ?? "vCard"
    case .empty:
      "empty record"
    case .unknown(let record):
      "\(Self.kind(of: record)), \(Self.count(record.payload))"
    case .malformed(let malformed):
      "malformed \(Self.kind(of: malformed.record)), \(malformed.error)"
        + (malformed.salvagedText.map { "; it reads \(Escaped.quote($0))" } ?? "")
    }
  }

  private static func summary(of poster: SmartPosterRecord) -> String {
    let action =
      switch poster.action {
      case nil: ""
      case .perform: ", action do"
      case .save: ", action save"
      case .edit: ", action edit"
      }
    let titles = poster.titles.map { ", \(Escaped.quote($0.text)) (\(Escaped.line($0.language)))" }
    return "Smart Poster \(Escaped.line(poster.uri.uri))" + titles.joined() + action
  }

  private static func kind(of record: Record) -> String {
    record.type.isEmpty
      ? "record of \(record.typeNameFormat) type"
      : "\(record.typeNameFormat) record \(Escaped.quote(record.typeName))"
  }

  private static func count(_ payload: [UInt8]) -> String {
    counted(payload.count, "byte")
  }
}
