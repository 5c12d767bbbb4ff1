#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON document that the program gives to other programs; Docs/Formats.md describes each.
///
/// All of them have one dialect: keys in alphabetical order, no member for what is not known,
/// `schema` for the version.
package protocol OutputDocument: Encodable {
  /// Counts up when a member that programs rely on changes its meaning or goes; new members do not
  /// count.
  static var schema: Int { get }
}

extension OutputDocument {
  package static var schema: Int { 1 }
}

/// The one writer of JSON documents.
package enum JSONLine {
  /// `document` on one line, without a line break at its end.
  package static func text<Document: OutputDocument>(_ document: Document) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding plain structures of strings and finite numbers cannot fail.
    guard let data = try? encoder.encode(Versioned(document: document)) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// A document with its version among its members.
  private struct Versioned<Document: OutputDocument>: Encodable {
    let document: Document

    private enum CodingKeys: String, CodingKey { case schema }

    func encode(to encoder: any Encoder) throws {
      try document.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Document.schema, forKey: .schema)
    }
  }
}
