/// A password of NTAG 21x and Ultralight EV1 that follows from a master key and the tag's UID, so
/// that no two tags have the same and who breaks one has no other. Its text never shows the key.
public struct DerivedPassword: Hashable, Sendable {
  private let master: AESKey

  /// Takes the key that every tag's password follows from.
  public init(_ master: AESKey) { self.master = master }

  /// PWD, four bytes, and PACK, two, of the tag with `uid`: the first six bytes of the key that
  /// AN10922 gives for UID and the text PWD.
  package func secrets(of uid: UID) -> (password: [UInt8], pack: [UInt8]) {
    let key = KeyRing.an10922(master, uid.bytes + Array("PWD".utf8)).bytes
    return (Array(key[..<4]), Array(key[4..<6]))
  }

  /// The key, 16 bytes, of an Ultralight C with `uid`: what AN10922 gives for UID and the text KEY.
  package func key(of uid: UID) -> [UInt8] {
    KeyRing.an10922(master, uid.bytes + Array("KEY".utf8)).bytes
  }
}

extension DerivedPassword: CustomStringConvertible, CustomReflectable {
  public var description: String { "a password that follows from the UID" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
