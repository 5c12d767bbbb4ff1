/// The format says what the TYPE field of a record means: the low three bits of its first byte
/// (TNF).
///
/// NFC Forum NDEF 1.0, 3.2.6.
public enum TypeNameFormat: UInt8, Hashable, Sendable, CaseIterable {
  /// No type, no ID, no payload.
  case empty = 0
  /// TYPE is an NFC Forum name without `urn:nfc:wkt:`, such as `U`, `T`, `Sp`.
  case wellKnown = 1
  /// TYPE is a media type, RFC 2046.
  case media = 2
  /// TYPE is itself an absolute URI, RFC 3986; the payload is something else.
  case absoluteURI = 3
  /// TYPE is `domain:name`, without `urn:nfc:ext:`.
  case external = 4
  /// No type; the payload is opaque.
  case unknown = 5
  /// A middle or last chunk: the type is the first chunk's.
  case unchanged = 6
  /// Kept for later editions: read like `unknown`, never written.
  case reserved = 7

  /// The format in the low three bits of a record's first byte; the other bits are not looked at.
  package init(flags: UInt8) {
    switch flags & 0x07 {
    case 0: self = .empty
    case 1: self = .wellKnown
    case 2: self = .media
    case 3: self = .absoluteURI
    case 4: self = .external
    case 5: self = .unknown
    case 6: self = .unchanged
    default: self = .reserved
    }
  }

  /// Is true if a record of this format names its type in the TYPE field.
  package var hasType: Bool {
    switch self {
    case .wellKnown, .media, .absoluteURI, .external: true
    case .empty, .unknown, .unchanged, .reserved: false
    }
  }
}

extension TypeNameFormat: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "empty"
    case .wellKnown: "well-known"
    case .media: "media"
    case .absoluteURI: "absolute URI"
    case .external: "external"
    case .unknown: "unknown"
    case .unchanged: "unchanged"
    case .reserved: "reserved"
    }
  }
}
