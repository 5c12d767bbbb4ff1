import CardCrypto

/// What an NTAG 424 DNA put into an address as it was read, and whether it proves the tag: a secure
/// unique NFC message (NT4H2421Gx, 9.3; AN12196, 3).
public struct SUNParts: Hashable, Sendable {
  /// In plain text.
  package var uid: [UInt8]?
  package var counter: Int?
  /// Encrypted UID and counter, 16 bytes.
  package var picc: [UInt8]?
  /// Encrypted file data, as many bytes as were encrypted.
  package var encrypted: [UInt8]?
  /// The code, 8 bytes, and the text that it is of.
  package var code: [UInt8]?
  package var codeInput: [UInt8] = []

  /// No part.
  public init() {}

  /// Takes them out of a file as it was read, by its settings; nil where one is no hexadecimal
  /// number.
  package init?(file: [UInt8], _ settings: SDMSettings) {
    func digits(_ range: Range<Int>?) -> [UInt8]?? {
      guard let range else { return .some(nil) }
      guard range.upperBound <= file.count else { return nil }
      return Self.bytes(file[range]).map { $0 }
    }
    let mirrors = settings.mirrors
    guard let uid = digits(mirrors[.uid]), let counter = digits(mirrors[.counter]),
      let picc = digits(mirrors[.picc]), let encrypted = digits(mirrors[.enc]),
      let code = digits(mirrors[.mac])
    else { return nil }
    (self.uid, self.picc, self.encrypted, self.code) = (uid, picc, encrypted, code)
    self.counter = counter.map(Self.number)
    if let start = settings.codeInput, let end = settings.code, end <= file.count {
      codeInput = Array(file[start..<end])
    }
  }

  /// The bytes of hexadecimal digits in ASCII; nil for anything else.
  package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
    let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  /// A counter as it is shown: its high byte first.
  package static func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Why an address proves no tag.
public enum SUNError: Error, Hashable, Sendable {
  /// UID and counter do not decrypt: another key, or no tag's work.
  case notDecrypted
  /// There is no code.
  case noCode
  /// The address does not tell which tag it is of, and the key follows from the UID.
  case noUID
  /// The code is not that of this tag and counter.
  case wrongCode
}

/// A tag that has proved itself.
public struct SUNProof: Hashable, Sendable {
  /// Nil where the tag does not show it.
  public let uid: UID?
  /// How often the tag was read, of 24 bits; nil where the address does not say.
  public let counter: Int?
  /// What was encrypted, nil where nothing was.
  public let fileData: [UInt8]?

  /// Decrypts `parts` and checks their code with `keys`. `known` is the UID where it is known
  /// otherwise.
  public init(_ parts: SUNParts, keys: KeyRing, known: UID? = nil) throws(SUNError) {
    var (uid, counter) = (parts.uid, parts.counter)
    if let picc = parts.picc {
      guard let key = keys.sharedMetaKey ?? known.map({ keys.key(keys.metaRead, of: $0) }) else {
        throw .noUID
      }
      (uid, counter) = try Self.decrypt(picc, key)
    }
    guard let code = parts.code else { throw .noCode }
    guard let tag = uid.map({ UID($0) }) ?? known ?? (keys.isShared(keys.fileRead) ? UID([]) : nil)
    else { throw .noUID }
    let session = SUNSession(
      key: keys.key(keys.fileRead, of: tag), uid: uid ?? [], counter: counter)
    guard session.code(of: parts.codeInput) == code else { throw .wrongCode }
    (self.uid, self.counter) = (uid.map { UID($0) } ?? known, counter)
    fileData = try parts.encrypted.map { bytes throws(SUNError) in
      guard let counter, bytes.count.isMultiple(of: 16) else { throw .wrongCode }
      return session.decrypted(bytes, counter: counter)
    }
  }

  /// Tag byte, UID, counter (low byte first) and random bytes (9.3.4.1).
  fileprivate static func decrypt(_ picc: [UInt8], _ key: AESKey) throws(SUNError) -> (
    uid: [UInt8]?, counter: Int?
  ) {
    guard picc.count == 16 else { throw .notDecrypted }
    let plain = AES128(key: key.bytes).decrypt(picc, iv: AES128.zero)
    let (hasUID, hasCounter) = (plain[0] & 0x80 != 0, plain[0] & 0x40 != 0)
    guard plain[0] & 0x30 == 0, plain[0] & 0x0F == (hasUID ? 7 : 0), hasUID || hasCounter else {
      throw .notDecrypted
    }
    let rest = plain.dropFirst(hasUID ? 8 : 1)
    return (
      hasUID ? Array(plain[1..<8]) : nil,
      hasCounter ? SUNParts.number(rest.prefix(3).reversed()) : nil
    )
  }
}

extension SUNParts {
  /// The UID that stands there encrypted, which nothing proves; nil where none does, or another key
  /// encrypted it.
  static func uid(encryptedIn parts: SUNParts, keys: KeyRing, known: UID) -> UID? {
    guard let picc = parts.picc,
      let found = try? SUNProof.decrypt(picc, keys.key(keys.metaRead, of: known))
    else { return nil }
    return found.uid.map { UID($0) }
  }
}

/// The keys of one reading (9.3.9): what is mirrored enters them.
struct SUNSession {
  private let encryption: AES128
  private let authentication: AES128

  /// `uid` is empty where it is not mirrored.
  init(key: AESKey, uid: [UInt8], counter: Int?) {
    let cipher = AES128(key: key.bytes)
    func derived(_ label: [UInt8]) -> AES128 {
      let input = label + [0x00, 0x01, 0x00, 0x80] + uid + (counter.map(Self.lowFirst) ?? [])
      let filling = [UInt8](repeating: 0, count: (16 - input.count % 16) % 16)
      return AES128(key: cipher.authenticationCode(of: input + filling))
    }
    (encryption, authentication) = (derived([0xC3, 0x3C]), derived([0x3C, 0xC3]))
  }

  func code(of text: [UInt8]) -> [UInt8] { authentication.shortCode(of: text) }

  func decrypted(_ bytes: [UInt8], counter: Int) -> [UInt8] {
    let start = encryption.encryptBlock(
      Self.lowFirst(counter) + [UInt8](repeating: 0, count: 13))
    return encryption.decrypt(bytes, iv: start)
  }

  private static func lowFirst(_ counter: Int) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
  }
}
