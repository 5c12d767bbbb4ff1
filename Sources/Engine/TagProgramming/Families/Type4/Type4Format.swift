import NDEF

/// How a blank DESFire gets its NDEF application. The text of its keys never shows their bytes.
public struct Type4Format: Hashable, Sendable {
  /// The application's own key, 16 bytes of AES; nil leaves it at zeros, where everybody may change
  /// what the application allows.
  public var newKey: [UInt8]?
  /// Written in the same pass.
  public var message: Message?
  /// As in `WriteOptions`.
  package var encoding: [UInt8]?
  /// Make the message read-only once it is verified.
  public var lock = false

  /// An empty message, and the key of delivery.
  public init() {}

  /// The bytes to write for the message; nil without one.
  var messageBytes: [UInt8]? { encoding ?? message?.serialize() }
}

extension Type4Format: CustomReflectable, CustomStringConvertible {
  public var description: String {
    newKey == nil ? "with the delivered key" : "with its own key"
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
