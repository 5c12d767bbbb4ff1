import NDEF

/// The format says what the type of a record means (TNF; NFC Forum NDEF 1.0, 3.2.6).
///
/// developer.apple.com: NFCTypeNameFormat.
public enum NFCTypeNameFormat: UInt8, Hashable, Sendable {
  /// No type, no identifier, no payload.
  case empty = 0
  /// A name of the NFC Forum, such as `U` and `T`.
  case nfcWellKnown = 1
  /// A media type.
  case media = 2
  /// The type is itself a URI.
  case absoluteURI = 3
  /// `domain:name`.
  case nfcExternal = 4
  /// No type; the payload is opaque.
  case unknown = 5
  /// A middle or last chunk of a record.
  case unchanged = 6

  /// A reserved format counts as unknown (3.2.6).
  init(_ format: TypeNameFormat) { self = NFCTypeNameFormat(rawValue: format.rawValue) ?? .unknown }

  /// This is the format as the module NDEF has it.
  var format: TypeNameFormat { TypeNameFormat(flags: rawValue) }
}
