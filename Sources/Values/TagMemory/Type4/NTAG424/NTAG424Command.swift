import CardCrypto

/// Commands of NTAG 424 DNA that change keys and settings, before a session wraps them (NT4H2421Gx,
/// 10).
extension DESFireCommand {
  /// New settings of file `number`: everything behind the number is encrypted where a key has to be
  /// proven.
  package static func changeFileSettings(_ number: UInt8, to settings: NTAG424FileSettings)
    -> DESFireCommand
  {
    DESFireCommand(0x5F, [number] + settings.serialize())
  }

  /// ChangeKey of key `number` (10.6.1). Of key 0, which is the one that was proven, the new bytes
  /// alone; of another the difference to the old ones, with a checksum of the new, so that a wrong
  /// `old` is refused and changes nothing.
  package static func changeKey(
    _ number: UInt8, from old: AESKey, to new: AESKey, version: UInt8
  ) -> DESFireCommand {
    guard number != 0 else { return DESFireCommand(0xC4, [number] + new.bytes + [version]) }
    let difference = zip(new.bytes, old.bytes).map { $0 ^ $1 }
    return DESFireCommand(0xC4, [number] + difference + [version] + CRC32.bytes(of: new.bytes))
  }

  /// Another random UID whenever the tag gets power, permanently (10.5.1, option 00h).
  package static let useRandomUID = DESFireCommand(0x5C, [0x00, 0x02])
  /// LRP in place of AES for authentications, sessions and proofs, permanently; it ends the mirrors
  /// (NT4H2421Tx, 11.5.1, option 05h).
  package static let useLRP = DESFireCommand(0x5C, [0x05, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0])
  /// The TagTamper looks at its loop, permanently, and tells everybody who asks (option 07h).
  package static let watchTamperLoop = DESFireCommand(0x5C, [0x07, 0x01, 0x0E])
  /// The UID of a tag that shows a random one.
  package static let getCardUID = DESFireCommand(0x51)
  /// How often the message's file was read since it mirrors.
  package static func getFileCounters(_ file: UInt8) -> DESFireCommand {
    DESFireCommand(0xF6, [file])
  }
  /// The maker's signature over the UID.
  package static let readSignature = DESFireCommand(0x3C, [0x00])
  /// Is true if the loop of a TagTamper was ever open, and is now.
  package static let getTagTamperStatus = DESFireCommand(0xF7)
}

/// An AES key of 16 bytes. Its text never shows them.
public struct AESKey: Hashable, Sendable {
  /// Sixteen bytes.
  public let bytes: [UInt8]

  /// Nil unless there are 16.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  private init() { bytes = [UInt8](repeating: 0, count: 16) }

  /// The key that a tag is delivered with: zeros.
  package static let delivered = AESKey()

  package var isDelivered: Bool { self == .delivered }
}

extension AESKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { isDelivered ? "the key of delivery" : "its own key" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
