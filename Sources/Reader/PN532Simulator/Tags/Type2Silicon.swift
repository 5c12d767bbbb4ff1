import CardCrypto

/// The Type 2 chips: one row a product.
///
/// MF0ICU1 7; MF0ICU2 7.5; MF0ULx1 8.5; NTAG203 8.5; NTAG210/212 8.5; NTAG213/215/216 8.5. To add a
/// chip, add a row here and its name to the catalogue.
package struct Type2Silicon: Hashable, Sendable {
  /// What a chip counts by itself or on command, outside its pages.
  enum Counters: Hashable {
    case none
    /// One counter, number 2, of power-ups with a read (NTAG213/215/216, 8.6).
    case reads
    /// Three counters, 0 to 2, that INCR_CNT moves (MF0ULx1, 8.7).
    case three
  }

  /// What may be overlaid on the user memory in ASCII (8.7), and how CFG0 says so.
  enum Mirror: Hashable {
    case none, uid, uidAndCounter
    /// UID, counter and tamper message, a bit each (NTAG213 TagTamper, as Proxmark3 and TapLinX
    /// have it).
    case tamper
    /// UID, counter and a code over both (NTAG 223 DNA and 224 DNA, as Proxmark3 has it).
    case code
  }

  /// The commands beside READ, WRITE, COMPATIBILITY_WRITE and HLTA, but for those of counters and
  /// keys.
  enum Command: Hashable, CaseIterable {
    case version, fastRead, password, signature
  }

  /// What stands behind the memory that this chip is documented to have.
  enum Beyond: Hashable {
    /// READ of a page behind the end is refused.
    case nothing
    /// It is answered as if the memory began anew there, as copies do.
    case again
  }

  /// As `sim:` spells it.
  package let name: String
  /// 4-byte pages, configuration included.
  package let pageCount: Int
  /// The last page of user memory; the first is 4.
  package let lastUserPage: Int
  /// The page of the dynamic lock bytes, and what they lock.
  let dynamicLock: (page: Int, map: Type2LockMap)?
  /// CFG0, CFG1, PWD and PACK start here; with AES keys the first two alone.
  package let configuration: Int?
  /// CFG0 and CFG1 as delivered.
  let factoryConfiguration: [UInt8]
  /// The GET_VERSION answer; nil: no such command.
  let version: [UInt8]?
  /// What it knows.
  let commands: Set<Command>
  /// The first byte of a UID that is made up.
  let maker: UInt8
  let beyond: Beyond
  /// Pages that nobody can write, because no public document gives their meaning.
  let closedPages: Range<Int>
  /// The bytes that a new tag has outside the user memory, by page.
  let special: [Int: [UInt8]]
  /// Page 3 as delivered.
  let factoryCC: [UInt8]
  /// Page 4 and on as delivered; the rest is zeros.
  let factoryContent: [UInt8]
  let counters: Counters
  let mirror: Mirror
  /// The page of the 16-bit one-way counter (MF0ICU2, 7.5.11; NTAG203, 8.6).
  let counterPage: Int?
  /// AUTH0, AUTH1 and a 3DES key from page 42 on (MF0ICU2, 7.5.5).
  let hasTripleDES: Bool
  /// AES keys in pages 48 to 55, as `VirtualType2+AES.swift` describes them.
  let hasAES: Bool
  /// The pages of the key that a mirrored code is made with; they read as zeros.
  let codeKey: Range<Int>?
  /// How the maker signs the UID: the curve, and whether a hash is signed.
  let signature: (curve: EllipticCurve, isHashed: Bool)
  /// Where READ shows the signature; nil: READ_SIG does.
  let signaturePage: Int?
  /// The NAK for a failed EEPROM cycle.
  let writeErrorNAK: UInt8

  /// A chip of the generation that came with GET_VERSION, whether it knows that command or not.
  var isModern: Bool { !commands.isEmpty }
  /// Is true if lock and OTP pages survive torn writes whole.
  var writesLocksSafely: Bool { isModern }
  /// Is true if a command that the chip does not have gets a NAK; MF0ICU1 alone is silent (MF0ICU2
  /// and NTAG203 answer NAK 0 to GET_VERSION, which is how Proxmark3 tells them from it).
  var answersUnknownCommands: Bool { isModern || dynamicLock != nil || !closedPages.isEmpty }
  /// Is true if lock bits hold at once; in older chips they do from the next activation (MF0ICU1,
  /// 7.5.2; MF0ICU2, 7.5.3).
  var locksAtOnce: Bool { isModern }

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  init(
    _ name: String, pages: Int, lastUserPage: Int, dynamicLock: (page: Int, map: Type2LockMap)?,
    configuration: Int? = nil, factoryConfiguration: [UInt8] = [], version: [UInt8]? = nil,
    commands: Set<Command>? = nil, maker: UInt8 = 0x04, beyond: Beyond = .nothing,
    closedPages: Range<Int> = 0..<0, special: [Int: [UInt8]] = [:],
    cc: [UInt8] = [0, 0, 0, 0], content: [UInt8] = [], counters: Counters = .none,
    mirror: Mirror = .none, counterPage: Int? = nil, hasTripleDES: Bool = false,
    hasAES: Bool = false, codeKey: Range<Int>? = nil,
    signature: (curve: EllipticCurve, isHashed: Bool) = (.secp128r1, false),
    signaturePage: Int? = nil, writeErrorNAK: UInt8 = 0x5
  ) {
    self.name = name
    pageCount = pages
    self.lastUserPage = lastUserPage
    self.dynamicLock = dynamicLock
    self.configuration = configuration
    self.factoryConfiguration = factoryConfiguration
    self.version = version
    self.commands = commands ?? (version == nil ? [] : Set(Command.allCases))
    (self.maker, self.beyond, self.closedPages) = (maker, beyond, closedPages)
    self.special = special
    factoryCC = cc
    factoryContent = content
    self.counters = counters
    self.mirror = mirror
    self.counterPage = counterPage
    self.hasTripleDES = hasTripleDES
    self.hasAES = hasAES
    self.codeKey = codeKey
    self.signature = signature
    self.signaturePage = signaturePage
    self.writeErrorNAK = writeErrorNAK
  }

  /// The memory of a tag that left the factory, or with `blank` of one whose OTP page and user
  /// memory are zeros.
  func memory(uid: [UInt8], blank: Bool) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: pageCount * 4)
    let check0 = uid[..<3].reduce(0x88, ^)
    let check1 = uid[3...].reduce(0, ^)
    memory.replaceSubrange(
      0..<10, with: uid[..<3] + [check0] + uid[3...] + [check1, maker == 0x02 ? 0x2C : 0x48])
    if !blank {
      memory.replaceSubrange(12..<16, with: factoryCC)
      memory.replaceSubrange(16..<16 + factoryContent.count, with: factoryContent)
    }
    for (page, bytes) in special {
      memory.replaceSubrange(page * 4..<page * 4 + bytes.count, with: bytes)
    }
    if let signaturePage {
      let bytes = MakerSignature.bytes(
        of: uid, on: signature.curve, isHashed: signature.isHashed)
      memory.replaceSubrange(signaturePage * 4..<signaturePage * 4 + bytes.count, with: bytes)
    }
    if let dynamicLock, isModern, !hasAES { memory[dynamicLock.page * 4 + 3] = 0xBD }
    if let configuration {
      let bytes = factoryConfiguration + (hasAES ? [] : [0xFF, 0xFF, 0xFF, 0xFF])
      let start = configuration * 4
      memory.replaceSubrange(start..<start + bytes.count, with: bytes)
    }
    if hasTripleDES {
      memory[42 * 4] = 0x30
      memory.replaceSubrange(44 * 4..<48 * 4, with: Array("BREAKMEIFYOUCAN!".utf8))
    }
    return memory
  }
}
