/// The master key of an sdm-backend, 16 or 32 bytes: that server takes both (`libsdm/derive.py`
/// hands it to HMAC as it is). Its text never shows them.
public struct SDMBackendMaster: Hashable, Sendable {
  /// Sixteen bytes, or thirty-two.
  public let bytes: [UInt8]

  /// Nil unless there are 16 or 32.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 || bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// A master of 16 bytes.
  public init(_ key: AESKey) { bytes = key.bytes }

  /// Its bytes by sixteen.
  var blocks: [AESKey] {
    stride(from: 0, to: bytes.count, by: 16).compactMap { AESKey(Array(bytes[$0..<$0 + 16])) }
  }

  /// Is true if it is zeros, which the server takes for the keys of delivery.
  var isDelivered: Bool { bytes == [UInt8](repeating: 0, count: 16) }
}

extension SDMBackendMaster: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  public var description: String { "a master key" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
