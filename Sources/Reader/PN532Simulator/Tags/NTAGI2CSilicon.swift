/// The NTAG I2C chips, a row each (NT3H1101/NT3H1201 and NT3H2111/NT3H2211, 8.3).
///
/// Pages of sector 1 count on from 256 here.
package struct NTAGI2CSilicon: Hashable, Sendable {
  /// As `sim:` spells it.
  package let name: String
  /// The GET_VERSION answer.
  let version: [UInt8]
  /// The pages that a user may write, in order.
  let user: [ClosedRange<Int>]
  let locks: Type2LockMap
  let lockPage: Int
  /// The first of two pages: what the session registers start with.
  let configuration: Int
  /// Password, signature and FAST_WRITE.
  let isPlus: Bool
  let deliveredCC: [UInt8]

  var hasSectorOne: Bool { user.contains { $0.upperBound > 255 } }

  /// All pages of the EEPROM, in order.
  let pages: [Int]

  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  private init(
    _ name: String, version: [UInt8], user: [ClosedRange<Int>], locks: Type2LockMap, lockPage: Int,
    configuration: Int, isPlus: Bool, cc: [UInt8]
  ) {
    (self.name, self.version, self.user, self.locks) = (name, version, user, locks)
    (self.lockPage, self.configuration, self.isPlus) = (lockPage, configuration, isPlus)
    deliveredCC = cc
    var pages = Set(0...3)
    for range in user { pages.formUnion(range) }
    pages.formUnion([lockPage, configuration, configuration + 1])
    if isPlus { pages.formUnion(227...231) }
    self.pages = pages.sorted()
  }

  package static let i2c1K = NTAGI2CSilicon(
    "ntag-i2c-1k", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x13, 0x03], user: [4...225],
    locks: .dynamic(pagesPerBit: 16, last: 225), lockPage: 226, configuration: 232, isPlus: false,
    cc: [0xE1, 0x10, 0x6D, 0x00])

  package static let i2c2K = NTAGI2CSilicon(
    "ntag-i2c-2k", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x15, 0x03], user: [4...479],
    locks: .dynamic(pagesPerBit: 32, last: 479), lockPage: 256 + 224, configuration: 256 + 232,
    isPlus: false, cc: [0xE1, 0x10, 0xEA, 0x00])

  package static let plus1K = NTAGI2CSilicon(
    "ntag-i2c-plus-1k", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x02, 0x13, 0x03],
    user: [4...225], locks: .dynamic(pagesPerBit: 16, last: 225), lockPage: 226,
    configuration: 232, isPlus: true, cc: [0, 0, 0, 0])

  package static let plus2K = NTAGI2CSilicon(
    "ntag-i2c-plus-2k", version: [0x00, 0x04, 0x04, 0x05, 0x02, 0x02, 0x15, 0x03],
    user: [4...225, 256...511], locks: .ntagI2CPlus2K, lockPage: 226, configuration: 232,
    isPlus: true, cc: [0, 0, 0, 0])

  package static let all = [i2c1K, i2c2K, plus1K, plus2K]

  /// A new tag's memory. What a plus holds in its user memory, and as its capability container, is
  /// not defined: `blank` makes it zeros.
  func memory(uid: [UInt8], blank: Bool) -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: pages.count * 4)
    func put(_ bytes: [UInt8], _ page: Int) {
      guard let row = pages.firstIndex(of: page) else { return }
      memory.replaceSubrange(row * 4..<row * 4 + bytes.count, with: bytes)
    }
    // No check bytes: UID, SAK, ATQA.
    put(uid + [0x00, 0x44, 0x00], 0)
    if !blank {
      put(deliveredCC, 3)
      if isPlus {
        var random = SplitMix64(state: uid.reduce(0) { $0 << 8 | UInt64($1) })
        for page in user.joined() where page > 4 {
          let word = random.next()
          put((0..<4).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }, page)
        }
      } else {
        put([0x03, 0x00, 0xFE, 0x00], 4)
      }
    }
    if isPlus {
      put([0x00, 0x00, 0x00, 0xFF], 227)
      put([0xFF, 0xFF, 0xFF, 0xFF], 229)
    }
    put([0x01, 0x00, 0xF8, 0x48, 0x08, 0x01, 0x00, 0x00], configuration)
    return memory
  }
}

extension Type2LockMap {
  /// NT3H2211, 8.3.8: 32 pages a bit, but for the last of sector 0, the first of sector 1 and the
  /// last of it.
  static let ntagI2CPlus2K: Type2LockMap = {
    let six = (0..<6).map { (16 + 32 * $0)...(47 + 32 * $0) }
    let seven = (0..<7).map { (272 + 32 * $0)...(303 + 32 * $0) }
    let pages = six + [208...225, 256...271] + seven + [496...511]
    return Type2LockMap(
      entries: pages.enumerated().map { bit, pages in
        Entry(bit: bit, pages: pages, frozenBy: 16 + bit / 2)
      }, byteCount: 3)
  }()
}
