import TagMemory

/// The password to give a tag, or the key of an Ultralight C or AES, and what is to need it. Its
/// text never shows the bytes.
public struct Protection: Hashable, Sendable {
  /// PWD: four bytes; of an Ultralight C or AES the key: 16 bytes.
  package var password: [UInt8]
  /// PACK: the two bytes with which the tag acknowledges the password; with a key none.
  package var pack: [UInt8]
  /// Reading needs the password too.
  package var readToo: Bool
  /// The settings that the chip gets together with its password.
  package var settings = ChipSettings()
  /// What password and acknowledge follow from once the tag is known; there are none before.
  private var derivation: DerivedPassword?
  /// The key that follows from the tag's UID, for a tag that has one in place of a password.
  private var derivedKey: [UInt8]?

  /// Nil unless `password` has 4 bytes, or 16 as the key of an Ultralight C or AES, and
  /// `acknowledge`, which a key does not have, 2.
  public init?(
    _ password: [UInt8], acknowledge: [UInt8] = [0, 0], readToo: Bool = false
  ) {
    guard [4, Type2Key.byteCount].contains(password.count), acknowledge.count == 2 else {
      return nil
    }
    self.init(secret: password, pack: acknowledge, readToo: readToo)
  }

  /// Traps unless there are four bytes of password and two of its acknowledge.
  package init(password: [UInt8], pack: [UInt8] = [0, 0], readToo: Bool = false) {
    precondition(password.count == 4 && pack.count == 2, "PWD has four bytes, PACK two")
    self.password = password
    self.pack = pack
    self.readToo = readToo
  }

  /// The key of an Ultralight C or AES. Traps unless there are 16 bytes.
  package init(key: [UInt8], readToo: Bool = false) {
    precondition(key.count == Type2Key.byteCount, "the key has 16 bytes")
    (password, pack, self.readToo) = (key, [], readToo)
  }

  /// A password, 4 bytes, or a key, 16.
  package init(secret: [UInt8], pack: [UInt8] = [0, 0], readToo: Bool = false) {
    if secret.count == Type2Key.byteCount {
      self.init(key: secret, readToo: readToo)
    } else {
      self.init(password: secret, pack: pack, readToo: readToo)
    }
  }

  /// Those that follow from each tag's UID.
  public init(derived derivation: DerivedPassword, readToo: Bool = false) {
    (password, pack, self.readToo) = ([], [], readToo)
    self.derivation = derivation
  }

  /// Returns the protection for the tag with `uid`, from which its password follows.
  package func resolved(for uid: UID) -> Protection {
    guard let derivation else { return self }
    let (password, pack) = derivation.secrets(of: uid)
    var protection = Protection(password: password, pack: pack, readToo: readToo)
    (protection.derivedKey, protection.settings) = (derivation.key(of: uid), settings)
    return protection
  }

  /// The lengths in bytes that the secret may have: the password's, and that of the key that
  /// follows from the UID and replaces the password on some types.
  package var byteCounts: Set<Int> { Set([password.count] + (derivedKey.map { [$0.count] } ?? [])) }

  /// Returns this protection, or its derived key's, for a tag whose secret has so many bytes; nil
  /// where neither has so many.
  func fitting(_ byteCount: Int) -> Protection? {
    if let derivedKey, byteCount == derivedKey.count {
      var protection = Protection(key: derivedKey, readToo: readToo)
      protection.settings = settings
      return protection
    }
    return password.count == byteCount ? self : nil
  }

  /// As delivered (NTAG213/215/216, 8.8).
  static let delivered = Protection(password: [0xFF, 0xFF, 0xFF, 0xFF])

  /// As a chip with this memory is delivered.
  static func delivered(on map: Type2Map) -> Protection {
    map.key.map { Protection(key: $0.delivered) } ?? delivered
  }
}

extension Protection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    readToo ? "a password to read or write" : "a password to write"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
