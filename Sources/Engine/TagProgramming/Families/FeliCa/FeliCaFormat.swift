import NDEF

/// How a FeliCa Lite or Lite-S is formatted.
public struct FeliCaFormat: Hashable, Sendable {
  /// Written in the same pass.
  public var message: Message?
  /// As in `WriteOptions`.
  package var encoding: [UInt8]?
  /// Make the tag read-only for good once the message is verified.
  public var lock = false
  /// The operator's word that foreign data may be lost; nothing is looked at first.
  public var overwrite = false

  /// An empty message; nothing that is not blank is lost.
  public init() {}

  /// The bytes to write for the message; nil without one.
  var messageBytes: [UInt8]? { encoding ?? message?.serialize() }
}
