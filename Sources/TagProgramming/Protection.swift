import TagMemory

/// The password to give a tag, and what shall need it (NTAG21x and Ultralight EV1). Its text never
/// shows the bytes.
public struct Protection: Hashable, Sendable {
  /// PWD: four bytes.
  package var password: [UInt8]
  /// PACK: the two bytes with which the tag acknowledges the password.
  package var pack: [UInt8]
  /// Reading needs the password too.
  package var readToo: Bool
  /// What password and acknowledge follow from once the tag is known; there are none before.
  private var derivation: DerivedPassword?

  /// Traps unless there are four bytes of password and two of its acknowledge.
  public init(password: [UInt8], pack: [UInt8] = [0, 0], readToo: Bool = false) {
    precondition(password.count == 4 && pack.count == 2, "PWD has four bytes, PACK two")
    self.password = password
    self.pack = pack
    self.readToo = readToo
  }

  /// Those that follow from each tag's UID.
  public init(derived derivation: DerivedPassword, readToo: Bool = false) {
    (password, pack, self.readToo) = ([], [], readToo)
    self.derivation = derivation
  }

  /// The same for the tag with `uid`.
  func resolved(for uid: UID) -> Protection {
    guard let derivation else { return self }
    let (password, pack) = derivation.secrets(of: uid)
    return Protection(password: password, pack: pack, readToo: readToo)
  }

  /// As delivered (NTAG213/215/216, 8.8).
  static let delivered = Protection(password: [0xFF, 0xFF, 0xFF, 0xFF])
}

extension Protection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    readToo ? "a password to read or write" : "a password to write"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
