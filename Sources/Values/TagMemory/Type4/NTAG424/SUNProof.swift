import CardCrypto

/// An NTAG 424 DNA put these parts into an address as it was read; they show whether it proves the
/// tag: a secure unique NFC message (NT4H2421Gx, 9.3; AN12196, 3).
public struct SUNParts: Hashable, Sendable {
  /// In plain text.
  package var uid: [UInt8]?
  package var counter: Int?
  /// Encrypted UID and counter, 16 bytes; 24 of a tag in LRP mode.
  package var picc: [UInt8]?
  /// Encrypted file data, as many bytes as were encrypted.
  package var encrypted: [UInt8]?
  /// The code, 8 bytes, and the text that it is of.
  package var code: [UInt8]?
  package var codeInput: [UInt8] = []
  /// What stands before that text and may belong to it, where no template says where it begins.
  package var leading: [UInt8] = []
  /// What a TagTamper says of its loop in plain text, and whether that enters the code.
  package var tamper: TamperState?
  package var provesTamper = false
  /// Where it says so within encrypted file data; nil where it does not.
  package var tamperInData: Int?

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
    if let start = settings.codeInput, let end = settings.code, start <= end, end <= file.count {
      codeInput = Array(file[start..<end])
    }
    guard let tamper = settings.tamper else { return }
    let place = tamper..<tamper + SDMSettings.tamperByteCount
    if settings.isTamperEncrypted {
      tamperInData = tamper - (settings.encrypted?.lowerBound ?? 0)
    } else {
      guard place.upperBound <= file.count, let state = TamperState(file[place]) else { return nil }
      self.tamper = state
      provesTamper =
        settings.codeInput.map { $0 <= tamper } ?? false
        && settings.code.map { place.upperBound <= $0 } ?? false
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
  /// The address is of this tag, whose key is not known.
  case unknownTag(UID)
}

/// A tag that has proved itself.
public struct SUNProof: Hashable, Sendable {
  /// Nil where the tag does not show it.
  public let uid: UID?
  /// How often the tag was read, of 24 bits; nil where the address does not say.
  public let counter: Int?
  /// These bytes were encrypted; nil where nothing was.
  public let fileData: [UInt8]?
  /// The state is what a TagTamper says of its loop, where that is proven; nil where it is not, or
  /// says nothing.
  public let tamper: TamperState?
  /// Is true if the tag is in LRP mode.
  public let usesLRP: Bool

  /// Decrypts `parts` and checks their code with `keys`. `known` is the UID where it is known
  /// otherwise.
  public init(_ parts: SUNParts, keys: KeyRing, known: UID? = nil) throws(SUNError) {
    try self.init(parts, with: keys, known: known)
  }

  /// Decrypts `parts` and checks their code with keys of any kind. `known` is the UID where it is
  /// known otherwise.
  package init(_ parts: SUNParts, with keys: some ProofKeys, known: UID? = nil) throws(SUNError) {
    var (uid, counter) = (parts.uid, parts.counter)
    if let picc = parts.picc {
      (uid, counter) = try Self.decrypt(picc, keys.metaKeys(known: known))
    }
    guard let code = parts.code else { throw .noCode }
    let tag = uid.map { UID($0) } ?? known
    guard let key = keys.codeKey(of: tag) else { throw tag.map { .unknownTag($0) } ?? .noUID }
    // Without encrypted UID and counter nothing says which mode the tag is in.
    let modes = parts.picc.map { [$0.count == Self.longPICC] } ?? [false, true]
    let session = modes.lazy.map { usesLRP in
      SUNSession(key: key, uid: uid ?? [], counter: counter, usesLRP: usesLRP)
    }.first { session in parts.codeInputs.contains { session.code(of: $0) == code } }
    guard let session else { throw .wrongCode }
    (self.uid, self.counter) = (uid.map { UID($0) } ?? known, counter)
    usesLRP = session.usesLRP
    let data = try parts.encrypted.map { bytes throws(SUNError) in
      guard let counter, bytes.count.isMultiple(of: 16) else { throw .wrongCode }
      return session.decrypted(bytes, counter: counter)
    }
    fileData = data
    if let place = parts.tamperInData {
      guard let data, place + SDMSettings.tamperByteCount <= data.count,
        let state = TamperState(data[place..<place + SDMSettings.tamperByteCount])
      else { throw .wrongCode }
      tamper = state
    } else {
      tamper = parts.provesTamper ? parts.tamper : nil
    }
  }

  /// Bytes of encrypted UID and counter with LRP.
  private static let longPICC = SDMSettings.piccByteCount(usesLRP: true) / 2

  /// With the first of `keys` that makes sense of it. One that a single tag has must show that tag.
  private static func decrypt(
    _ picc: [UInt8], _ keys: [(key: AESKey, tag: UID?)]
  ) throws(SUNError) -> (uid: [UInt8]?, counter: Int?) {
    guard !keys.isEmpty else { throw .noUID }
    for (key, tag) in keys {
      guard let found = try? decrypt(picc, key), tag == nil || found.uid == tag?.bytes else {
        continue
      }
      return found
    }
    throw .notDecrypted
  }

  /// Tag byte, UID, counter (low byte first) and random bytes (9.3.4.1); with LRP behind eight
  /// bytes that the counting of blocks begins with (9.3.4.2).
  fileprivate static func decrypt(_ picc: [UInt8], _ key: AESKey) throws(SUNError) -> (
    uid: [UInt8]?, counter: Int?
  ) {
    let plain: [UInt8]
    switch picc.count {
    case 16: plain = AES128(key: key.bytes).decrypt(picc, iv: AES128.zero)
    case longPICC:
      var count = Array(picc[..<8])
      plain = LRP(key: key.bytes).decrypt(Array(picc[8...]), counter: &count)
    default: throw .notDecrypted
    }
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
  /// The texts that the code may be of, the likeliest first.
  fileprivate var codeInputs: some Sequence<[UInt8]> {
    (0...leading.count).lazy.map { leading.suffix($0) + codeInput }
  }

  /// The UID that stands there encrypted, which nothing proves; nil where none does, or another key
  /// encrypted it.
  static func uid(encryptedIn parts: SUNParts, keys: KeyRing, known: UID) -> UID? {
    guard let picc = parts.picc,
      let found = try? SUNProof.decrypt(picc, keys.key(keys.metaRead, of: known))
    else { return nil }
    return found.uid.map { UID($0) }
  }
}

/// The keys of one reading (9.3.10): what is mirrored enters them.
struct SUNSession {
  private enum Suite {
    case aes(encryption: AES128, authentication: AES128)
    case lrp(encryption: LRP, authentication: LRP)
  }

  private let suite: Suite
  var usesLRP: Bool { if case .lrp = suite { true } else { false } }

  /// `uid` is empty where it is not mirrored.
  init(key: AESKey, uid: [UInt8], counter: Int?, usesLRP: Bool = false) {
    let context = [0x00, 0x01, 0x00, 0x80] + uid + (counter.map(Self.lowFirst) ?? [])
    func filled(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
    }
    guard !usesLRP else {
      // The label stands at the end of the last block.
      let vector = filled(context + [0, 0]).dropLast(2) + [0x1E, 0xE1]
      let master = LRP(key: key.bytes).authenticationCode(of: Array(vector))
      suite = .lrp(
        encryption: LRP(key: master, updatedKey: 1), authentication: LRP(key: master))
      return
    }
    let cipher = AES128(key: key.bytes)
    func derived(_ label: [UInt8]) -> AES128 {
      AES128(key: cipher.authenticationCode(of: filled(label + context)))
    }
    suite = .aes(
      encryption: derived([0xC3, 0x3C]), authentication: derived([0x3C, 0xC3]))
  }

  func code(of text: [UInt8]) -> [UInt8] {
    switch suite {
    case .aes(_, let authentication): authentication.shortCode(of: text)
    case .lrp(_, let authentication): authentication.shortCode(of: text)
    }
  }

  func encrypted(_ bytes: [UInt8], counter: Int) -> [UInt8] {
    switch suite {
    case .aes(let encryption, _):
      let start = encryption.encryptBlock(
        Self.lowFirst(counter) + [UInt8](repeating: 0, count: 13))
      return encryption.encrypt(bytes, iv: start)
    case .lrp(let encryption, _):
      var count = Self.lowFirst(counter) + [0, 0, 0]
      return encryption.encrypt(bytes, counter: &count)
    }
  }

  func decrypted(_ bytes: [UInt8], counter: Int) -> [UInt8] {
    switch suite {
    case .aes(let encryption, _):
      let start = encryption.encryptBlock(
        Self.lowFirst(counter) + [UInt8](repeating: 0, count: 13))
      return encryption.decrypt(bytes, iv: start)
    case .lrp(let encryption, _):
      var count = Self.lowFirst(counter) + [0, 0, 0]
      return encryption.decrypt(bytes, counter: &count)
    }
  }

  static func lowFirst(_ counter: Int) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
  }
}
