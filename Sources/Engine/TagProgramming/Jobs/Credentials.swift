import TagMemory

/// The credentials are what the operator knows of the tags' secrets.
public struct Credentials: Hashable, Sendable {
  /// MIFARE Classic keys to try besides the public ones.
  public var keys: [Key]
  /// Password of NTAG21x and Ultralight EV1, four bytes, or key of an Ultralight C or AES, 16.
  public var password: [UInt8]?
  /// The password follows from this and from each tag's UID; it takes the place of `password`.
  public var derivedPassword: DerivedPassword?
  /// The key that follows from it on a tag that has one in place of a password.
  private var derivedKey: [UInt8]?

  /// Is true if the password stands in a list for the tag: nobody says that no earlier run has
  /// replaced it.
  var isListed = false

  /// Keys of DESFire cards and applications, to try besides the delivered ones: 8, 16 or 24 bytes.
  public var cardKeys: [[UInt8]]

  /// Keys of a MIFARE Classic, the password of a Type 2 tag (4 bytes), keys of a DESFire.
  public init(keys: [Key] = [], password: [UInt8]? = nil, cardKeys: [[UInt8]] = []) {
    self.keys = keys
    self.password = password
    self.cardKeys = cardKeys
  }
}

extension Credentials {
  /// Returns the credentials for the tag with `uid`, from which its password follows.
  func resolved(for uid: UID) -> Credentials {
    guard let derivedPassword else { return self }
    var credentials = self
    credentials.password = derivedPassword.secrets(of: uid).password
    credentials.derivedKey = derivedPassword.key(of: uid)
    return credentials
  }

  /// Returns what opens a tag of `product`; nil where none was given that has as many bytes as its
  /// own.
  func secret(for product: Product) -> [UInt8]? {
    guard let count = product.secretByteCount else { return nil }
    return [password, derivedKey].compactMap(\.self).first { $0.count == count }
  }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// How many there are; never the bytes.
  public var description: String {
    let password = password == nil && derivedPassword == nil ? "no password" : "a password"
    return "\(keys.count + cardKeys.count) keys, \(password)"
  }

  /// Has no children: each would be a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
