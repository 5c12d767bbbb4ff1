import CardCrypto

/// The five keys of each NTAG 424 DNA of a series: how they follow from what the operator keeps,
/// and what they are for. Its text never shows them.
///
/// The key that encrypts UID and counter (`metaRead`) is the same on all tags: a server must
/// decrypt before it can know which tag it talks to. In every scheme but `fixed` the others follow
/// from the UID, too, so that who breaks one tag has no other.
public struct KeyRing: Hashable, Sendable {
  /// Where the keys come from.
  public enum Scheme: Hashable, Sendable {
    /// All tags have these five keys.
    case fixed([AESKey])
    /// AN10922, 2.2, over the UID, the key's number and a name; the shared key over number and name
    /// alone.
    case an10922(master: AESKey, name: [UInt8])
    /// Keys are derived as this program did it before it was right: of an input that fills a block,
    /// with its leading 01h, it took the plain code. Only names of 7 and of 14 characters give
    /// other keys than `an10922`. For tags that have them.
    case an10922Short(master: AESKey, name: [UInt8])
    /// As sdm-backend derives them (`libsdm/derive.py`). Its key 1 is the shared one.
    case sdmBackend(master: SDMBackendMaster)
    /// As Bolt Cards have them (boltcard, `DETERMINISTIC.md`). Key 1 is the shared one.
    case boltCard(issuer: AESKey)
    /// Keys 0 to 4 of one tag, as its row in a list has them, and the columns that they stand in;
    /// none where the row is not known yet.
    case list([AESKey], columns: [String])
  }

  package var scheme: Scheme
  /// Stored beside each key, 1 to 255: it tells which keys of a tag are done.
  package var version: UInt8
  /// The keys' uses.
  package var metaRead: UInt8
  package var fileRead: UInt8

  package static let keyNumbers: [UInt8] = [0, 1, 2, 3, 4]

  /// `version` is the version that the tag gets for its keys; `metaRead` and `fileRead` are key
  /// numbers, 0 to 4.
  public init(_ scheme: Scheme, version: UInt8 = 1, metaRead: UInt8 = 1, fileRead: UInt8 = 2) {
    (self.scheme, self.version) = (scheme, version)
    (self.metaRead, self.fileRead) = (metaRead, fileRead)
  }

  /// Takes the keys 0 to 4 that a tag's row has, where they come from a list.
  package mutating func take(_ keys: [AESKey]) {
    if case .list(_, let columns) = scheme { scheme = .list(keys, columns: columns) }
  }

  /// A tag is delivered with these keys: zeros, version 0.
  public static let delivered = KeyRing(
    .fixed([AESKey](repeating: .delivered, count: 5)), version: 0)

  /// Returns whether every tag has the same key there.
  package func isShared(_ number: UInt8) -> Bool {
    switch scheme {
    case .fixed: true
    case .an10922, .an10922Short: number == metaRead
    case .sdmBackend, .boltCard: number == 1
    case .list: false
    }
  }

  /// Key `number`, 0 to 4, of the tag with `uid`; one that is shared is the same for every UID.
  package func key(_ number: UInt8, of uid: UID) -> AESKey {
    switch scheme {
    case .fixed(let keys): return keys[Int(number)]
    case .list(let keys, _):
      precondition(keys.count == 5, "a row's keys are read before a tag gets them")
      return keys[Int(number)]
    case .an10922(let master, let name):
      let tag = isShared(number) ? [] : uid.bytes
      return Self.an10922(master, tag + [number] + name)
    case .an10922Short(let master, let name):
      let input = (isShared(number) ? [] : uid.bytes) + [number] + name
      guard input.count == 15 else { return Self.an10922(master, input) }
      return Self.code(master, [0x01] + input)
    case .sdmBackend(let master):
      return SDMBackendKeys(master).key(number, of: uid)
    case .boltCard(let issuer):
      let versions = [version, 0, 0, 0]
      guard number != 1 else { return Self.code(issuer, [0x2D, 0x00, 0x3F, 0x77]) }
      let card = Self.code(issuer, [0x2D, 0x00, 0x3F, 0x75] + uid.bytes + versions)
      return Self.code(card, [0x2D, 0x00, 0x3F, 0x76 + number])
    }
  }

  /// The key for what is encrypted before the UID is known; nil where that follows from the UID.
  package var sharedMetaKey: AESKey? {
    isShared(metaRead) ? key(metaRead, of: UID([UInt8](repeating: 0, count: 7))) : nil
  }

  /// The lines of a file by which a server that has the master key knows it.
  package var identityLines: [String] {
    let id = identity
    var lines = ["scheme = \(id.scheme)"]
    switch scheme {
    case .an10922, .an10922Short: lines.append("name = \(id.name)")
    case .fixed, .sdmBackend, .boltCard, .list: break
    }
    if !id.master.isEmpty { lines.append("master-id = \(id.master)") }
    return lines + ["version = \(version)", "meta-read = \(metaRead)", "file-read = \(fileRead)"]
  }

  /// Bolt Card's name for the tag with `uid`, which shows no UID.
  package static func boltCardName(issuer: AESKey, uid: UID) -> [UInt8] {
    code(issuer, [0x2D, 0x00, 0x3F, 0x7B] + uid.bytes).bytes
  }

  /// AN10922, 2.2.1: the code of 01 ‖ `input` (at most 31 bytes), which is always padded to 32
  /// bytes; padded at all, the second subkey is used.
  static func an10922(_ master: AESKey, _ input: [UInt8]) -> AESKey {
    precondition(input.count <= 31, "a diversification input has 31 bytes at most")
    let cipher = AES128(key: master.bytes)
    let message = [0x01] + input
    // Up to a block, a whole block included, it gets a block of padding more than the code itself
    // would give it.
    guard message.count <= 16 else {
      return AESKey(cipher.authenticationCode(of: message)) ?? .delivered
    }
    let padded = message + [0x80] + [UInt8](repeating: 0, count: 31 - message.count)
    let subkey = doubled(doubled(cipher.encryptBlock([UInt8](repeating: 0, count: 16))))
    let last = zip(padded[16...], subkey).map { $0 ^ $1 }
    let first = cipher.encryptBlock(Array(padded[..<16]))
    return AESKey(cipher.encryptBlock(zip(first, last).map { $0 ^ $1 })) ?? .delivered
  }

  private static func doubled(_ block: [UInt8]) -> [UInt8] {
    var result = block.indices.map { index in
      block[index] << 1 | (index + 1 < block.count ? block[index + 1] >> 7 : 0)
    }
    if block[0] & 0x80 != 0 { result[15] ^= 0x87 }
    return result
  }

  private static func code(_ key: AESKey, _ message: [UInt8]) -> AESKey {
    AESKey(AES128(key: key.bytes).authenticationCode(of: message)) ?? .delivered
  }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
  public var description: String {
    switch scheme {
    case .fixed: "keys, the same on every tag"
    case .an10922: "keys after AN10922"
    case .an10922Short: "keys after AN10922, without the padding of a whole block"
    case .sdmBackend: "keys after sdm-backend"
    case .boltCard: "keys after Bolt Card"
    case .list: "keys of a list's row"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
