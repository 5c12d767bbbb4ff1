import CardCrypto

/// A key of a DESFire: its bytes and the cipher they are for. Its text never shows the bytes.
package struct DESFireKey: Hashable, Sendable {
  /// By the two highest bits of an application's key count (MF3ICDx21, 9.3.4).
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// DES, and triple DES with two keys: 16 bytes, two equal halves for DES.
    case tripleDES = 0x00
    /// Triple DES with three keys: 24 bytes.
    case threeKeyTripleDES = 0x40
    case aes = 0x80

    package var byteCount: Int { self == .threeKeyTripleDES ? 24 : 16 }
  }

  package let kind: Kind
  /// As many as the kind has.
  package let bytes: [UInt8]

  /// A DES key of 8 bytes counts as two equal halves. Nil where the length does not fit.
  package init?(_ kind: Kind, _ bytes: [UInt8]) {
    let bytes = kind == .tripleDES && bytes.count == 8 ? bytes + bytes : bytes
    guard bytes.count == kind.byteCount else { return nil }
    (self.kind, self.bytes) = (kind, bytes)
  }

  private init(zeros kind: Kind) {
    (self.kind, bytes) = (kind, [UInt8](repeating: 0, count: kind.byteCount))
  }

  /// The key of a card, or of an application, that nobody has given one.
  package static func delivered(_ kind: Kind) -> DESFireKey { DESFireKey(zeros: kind) }

  /// Is true if it is all zeros. The lowest bits of DES keys say nothing of them.
  package var isDelivered: Bool {
    bytes.allSatisfy { kind == .aes ? $0 == 0 : $0 & 0xFE == 0 }
  }

  /// The keys that `bytes`, as an operator gives them, may be: 8 for DES, 16 for AES or two-key
  /// triple DES, 24 for three-key triple DES. None for any other length.
  package static func candidates(_ bytes: [UInt8]) -> [DESFireKey] {
    switch bytes.count {
    case 8: [DESFireKey(.tripleDES, bytes)].compactMap(\.self)
    case 16: [DESFireKey(.aes, bytes), DESFireKey(.tripleDES, bytes)].compactMap(\.self)
    case 24: [DESFireKey(.threeKeyTripleDES, bytes)].compactMap(\.self)
    default: []
    }
  }

  var cipher: any BlockCipher {
    switch kind {
    case .aes: AES128(key: bytes)
    // With equal halves it is plain DES.
    case .tripleDES, .threeKeyTripleDES: TripleDES(key: bytes)
    }
  }
}

extension DESFireKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String {
    let name =
      switch kind {
      case .tripleDES: "DES"
      case .threeKeyTripleDES: "3K3DES"
      case .aes: "AES"
      }
    return isDelivered ? "the \(name) key of delivery" : "\(kind == .aes ? "an" : "a") \(name) key"
  }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
