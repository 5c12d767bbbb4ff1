/// An external record: TNF 4, `domain:name` in TYPE (NFC Forum RTD 1.0, 3.4).
public struct ExternalRecord: Hashable, Sendable {
  /// The domain that names the type, in lower case.
  public let domain: String
  /// The name within the domain, in lower case.
  public let name: String
  /// The payload is what the record holds, as the domain's owner defines it.
  public let payload: [UInt8]
  /// The record's ID, at most 255 bytes; nil: it has none.
  public let id: [UInt8]?

  /// A record of type `domain:name`, which is written in lower case. Throws unless `domain` is
  /// labels of letters, digits, hyphens and underscores, `name` is printable without a space, and
  /// both with the colon have at most 255 bytes.
  public init(
    domain: String, name: String, payload: some Sequence<UInt8>, id: [UInt8]? = nil
  ) throws(NDEFError) {
    guard Self.isDomain(domain), Self.isName(name) else {
      throw NDEFError(.invalidExternalType("\(domain):\(name)"), in: .argument)
    }
    self.domain = ASCII.lowercased(domain.utf8)
    self.name = ASCII.lowercased(name.utf8)
    self.payload = Array(payload)
    self.id = id
    try Record.checkLengths(
      type: domain.utf8.count + 1 + name.utf8.count, id: id, payload: self.payload.count)
  }

  /// Reads an external record; throws when `record` is of another format or its type is not
  /// `domain:name`. Such types are compared without case, so both come back in lower case.
  public init(parsing record: Record) throws(NDEFError) {
    guard record.typeNameFormat == .external else {
      throw NDEFError(.otherType(expected: "an external record"), in: .type)
    }
    let parts = ASCII.lowercased(record.type)
      .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isDomain(String(parts[0])), Self.isName(String(parts[1])) else {
      throw NDEFError(.invalidExternalType(record.typeName), in: .type)
    }
    domain = String(parts[0])
    name = String(parts[1])
    payload = record.payload
    id = record.id
  }

  /// The record.
  public var record: Record {
    Record(checked: .external, type: typeName.utf8, id: id, payload: payload)
  }

  /// `domain:name`.
  package var typeName: String { "\(domain):\(name)" }

  private static func isDomain(_ text: String) -> Bool {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty
        && label.allSatisfy { ASCII.isAlphanumeric($0) || "-_".utf8.contains($0) }
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(ASCII.isGraphic)
  }
}
