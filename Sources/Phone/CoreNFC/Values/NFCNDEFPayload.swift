import Foundation
import NDEF

/// One NDEF record. Each part is at most as long as its length field can say; empty data is a field
/// that is absent.
///
/// developer.apple.com: NFCNDEFPayload.
open class NFCNDEFPayload: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The format says what `type` means.
  open var typeNameFormat: NFCTypeNameFormat
  /// The record's type, 0 to 255 bytes of ASCII; empty where the format has none.
  open var type: Data
  /// The record's ID, 0 to 255 bytes; empty: the record has none.
  open var identifier: Data
  /// The record's payload in bytes.
  open var payload: Data
  /// The longest payload of a chunk; 0: the record is whole.
  var chunkSize = 0

  /// A whole record.
  public required init(
    format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data
  ) {
    (typeNameFormat, self.type, self.identifier, self.payload) = (format, type, identifier, payload)
  }

  /// A record that is written in chunks of `chunkSize` bytes of payload, where it has more than
  /// that; 0: whole.
  public init(
    format: NFCTypeNameFormat, type: Data, identifier: Data, payload: Data, chunkSize: Int
  ) {
    (typeNameFormat, self.type, self.identifier, self.payload) = (format, type, identifier, payload)
    self.chunkSize = max(0, chunkSize)
  }

  // MARK: Coding

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(Int(typeNameFormat.rawValue), forKey: "typeNameFormat")
    coder.encode(type as NSData, forKey: "type")
    coder.encode(identifier as NSData, forKey: "identifier")
    coder.encode(payload as NSData, forKey: "payload")
    coder.encode(chunkSize, forKey: "chunkSize")
  }

  public required init?(coder: NSCoder) {
    func data(_ key: String) -> Data? {
      coder.decodeObject(of: NSData.self, forKey: key).map { Data(referencing: $0) }
    }
    let format = UInt8(exactly: coder.decodeInteger(forKey: "typeNameFormat"))
    guard let format = format.flatMap(NFCTypeNameFormat.init(rawValue:)), let type = data("type"),
      let identifier = data("identifier"), let payload = data("payload")
    else { return nil }
    (typeNameFormat, self.type, self.identifier, self.payload) = (format, type, identifier, payload)
    chunkSize = coder.decodeInteger(forKey: "chunkSize")
  }

  // MARK: NSObject

  /// Two records with the same fields are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NFCNDEFPayload else { return false }
    return typeNameFormat == other.typeNameFormat && type == other.type
      && identifier == other.identifier && payload == other.payload
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(typeNameFormat)
    hasher.combine(type)
    hasher.combine(identifier)
    hasher.combine(payload)
    return hasher.finalize()
  }

  open override var description: String {
    "TNF=\(typeNameFormat.rawValue), Payload Type=\(type as NSData), Payload ID=\(identifier as NSData), Payload=\(payload as NSData)"
  }
}
