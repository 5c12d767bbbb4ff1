import Bytes
import Testing

@testable import TagMemory

@Suite("Configuration pages")
struct ConfigurationTests {
  static let styles: [Configuration.Style] = [.ntag213, .ntag210, .ultralightEV1]

  @Test("of a chip as delivered protect nothing, mirror nothing, count nothing")
  func factory() throws {
    #expect(Configuration(factory: .ntag213).cfg0 == [0x04, 0, 0, 0xFF])
    #expect(Configuration(factory: .ntag210).cfg0 == [0x04, 0, 0, 0xFF])
    #expect(Configuration(factory: .ultralightEV1).cfg0 == [0x00, 0, 0, 0xFF])
    #expect(Configuration(factory: .ultralightEV1).cfg1 == [0x00, 0x05, 0, 0])
    for style in Self.styles {
      let configuration = Configuration(factory: style)
      #expect(configuration.protection(pageCount: 256 - 1) == nil)
      #expect(configuration.mirror == nil)
      #expect(!configuration.countsReads)
      #expect(!configuration.isLocked)
      #expect(configuration.attemptLimit == 0)
      #expect(configuration.strongModulation == (style != .ultralightEV1))
    }
  }

  @Test(
    "give every field its own bits",
    arguments: [
      ("0400000000000000", "strongModulation"), ("0000000400000000", "auth0"),
      ("0000000080000000", "protectsReading"), ("0000000040000000", "isLocked"),
      ("0000000010000000", "countsReads"), ("0000000008000000", "protectsCounter"),
      ("0000000005000000", "attemptLimit"), ("0000000000050000", "virtualCardType"),
      ("9000120000000000", "mirror"),
    ])
  func fields(_ hex: String, _ field: String) throws {
    var built = try Configuration(parsing: [UInt8](repeating: 0, count: 8), style: .ntag213)
    switch field {
    case "strongModulation": built.strongModulation = true
    case "auth0": built.auth0 = 4
    case "protectsReading": built.protectsReading = true
    case "isLocked": built.isLocked = true
    case "countsReads": built.countsReads = true
    case "protectsCounter": built.protectsCounter = true
    case "attemptLimit": built.attemptLimit = 0xFD
    case "virtualCardType": built.virtualCardType = 5
    default: built.mirror = ASCIIMirror(.counter, page: 18, byte: 1)
    }
    let bytes = try Hex.bytes(hex)
    #expect(built.serialize() == bytes)

    let parsed = try Configuration(parsing: bytes, style: .ntag213)
    #expect(parsed == built)
    #expect(parsed.strongModulation == (field == "strongModulation"))
    #expect(parsed.auth0 == (field == "auth0" ? 4 : 0))
    #expect(parsed.protectsReading == (field == "protectsReading"))
    #expect(parsed.isLocked == (field == "isLocked"))
    #expect(parsed.countsReads == (field == "countsReads"))
    #expect(parsed.protectsCounter == (field == "protectsCounter"))
    #expect(parsed.attemptLimit == (field == "attemptLimit" ? 5 : 0))
    #expect(parsed.virtualCardType == (field == "virtualCardType" ? 5 : 0))
    #expect(
      parsed.mirror
        == (field == "mirror" ? ASCIIMirror(.counter, page: 18, byte: 1) : nil))
  }

  @Test("keep the bits they do not know", arguments: styles)
  func reserved(_ style: Configuration.Style) throws {
    var configuration = try Configuration(
      parsing: [UInt8](repeating: 0xFF, count: 8), style: style)
    configuration.auth0 = 0x04
    configuration.protectsReading = false
    configuration.isLocked = false
    configuration.attemptLimit = 0
    #expect(configuration.serialize() == [0xFF, 0xFF, 0xFF, 0x04, 0x38, 0xFF, 0xFF, 0xFF])
  }

  @Test("take eight bytes, no others", arguments: [0, 4, 7, 9])
  func length(_ count: Int) {
    #expect(throws: TagMemoryError.self) {
      try Configuration(parsing: [UInt8](repeating: 0, count: count), style: .ntag213)
    }
  }

  @Test(
    "have no NFC counter but on NTAG213, 215 and 216",
    arguments: [Configuration.Style.ntag210, .ultralightEV1])
  func noCounter(_ style: Configuration.Style) {
    var configuration = Configuration(factory: style)
    configuration.countsReads = true
    configuration.protectsCounter = true
    #expect(configuration == Configuration(factory: style))
  }

  @Test("AUTH0 alone says what the password protects")
  func protection() throws {
    let protected = try Configuration(parsing: Hex.bytes("0400000400000000"), style: .ntag213)
    #expect(!protected.isWriteProtected(3, pageCount: 45))
    #expect(protected.isWriteProtected(4, pageCount: 45))
    #expect(protected.isWriteProtected(44, pageCount: 45))
    #expect(!protected.isReadProtected(4, pageCount: 45))

    let hidden = try Configuration(parsing: Hex.bytes("0400002980000000"), style: .ntag213)
    #expect(!hidden.isReadProtected(40, pageCount: 45))
    #expect(hidden.isReadProtected(41, pageCount: 45))

    for auth0 in UInt8.min...UInt8.max {
      var configuration = Configuration(factory: .ntag213)
      configuration.auth0 = auth0
      #expect((configuration.protection(pageCount: 45) != nil) == (auth0 < 45))
    }
  }

  @Test("of Ultralight C: AUTH0 from 48 on is off, AUTH1 bit 0 clear hides the pages too")
  func ultralightC() throws {
    func protection(_ auth0: UInt8, _ auth1: UInt8) -> AccessProtection? {
      AccessProtection(ultralightCAuth0: [auth0, 0, 0, 0], auth1: [auth1, 0, 0, 0])
    }
    #expect(protection(0x30, 0) == nil)
    #expect(protection(0xFF, 0) == nil)
    let writing = try #require(protection(0x03, 1))
    #expect(!writing.isWriteProtected(2))
    #expect(writing.isWriteProtected(3))
    #expect(!writing.isReadProtected(3))
    #expect(writing.description == "the password is needed to write page 3 and later pages")
    let both = try #require(protection(0x2A, 0))
    #expect(both.isReadProtected(42))
    #expect(!both.isReadProtected(41))
    #expect(both.description == "the password is needed to read or write page 42 and later pages")
    #expect(AccessProtection(ultralightCAuth0: [3], auth1: []) == nil)
  }
}

@Suite("ASCII mirror, NTAG213/215/216 8.7")
struct MirrorTests {
  /// The example of NTAG213F/216F, 8.7.3.1.
  static let uid = UID([0x04, 0xE1, 0x41, 0x12, 0x4C, 0x28, 0x80])

  @Test("shows UID and counter where the data sheet's example shows them")
  func example() throws {
    let configuration = try Configuration(parsing: Hex.bytes("D4000CFF10000000"), style: .ntag213)
    let mirror = try #require(configuration.mirror)
    #expect(mirror == ASCIIMirror(.uidAndCounter, page: 0x0C, byte: 1))
    #expect(mirror.byteRange == 49..<70)
    #expect(
      String(decoding: mirror.text(uid: Self.uid, counter: 0x003F31), as: UTF8.self)
        == "04E141124C2880x003F31")
  }

  @Test(
    "covers as many bytes as its content has characters",
    arguments: [
      (ASCIIMirror.Content.uid, 14, "04E141124C2880"), (.counter, 6, "0000FF"),
      (.uidAndCounter, 21, "04E141124C2880x0000FF"),
    ])
  func contents(_ content: ASCIIMirror.Content, _ count: Int, _ text: String) {
    for byte in 0...3 {
      let mirror = ASCIIMirror(content, page: 5, byte: byte)
      #expect(mirror.byteRange == 20 + byte..<20 + byte + count)
      #expect(String(decoding: mirror.text(uid: Self.uid, counter: 255), as: UTF8.self) == text)
    }
  }

  @Test("is off up to page 3, and with nothing to show")
  func off() throws {
    for page in UInt8.min...UInt8.max {
      let on = try Configuration(parsing: [0x54, 0, page, 0xFF, 0, 0, 0, 0], style: .ntag213)
      #expect((on.mirror != nil) == (page > 3))
      let empty = try Configuration(parsing: [0x34, 0, page, 0xFF, 0, 0, 0, 0], style: .ntag213)
      #expect(empty.mirror == nil)
      let ev1 = try Configuration(
        parsing: [0xF4, 0, page, 0xFF, 0, 0, 0, 0], style: .ultralightEV1)
      #expect(ev1.mirror == nil)
    }
  }

  @Test("of NTAG210 and 212 is the UID, switched by the page alone")
  func ntag210() throws {
    var configuration = Configuration(factory: .ntag210)
    configuration.mirror = ASCIIMirror(.uidAndCounter, page: 6, byte: 0)
    #expect(configuration == Configuration(factory: .ntag210))
    configuration.mirror = ASCIIMirror(.uid, page: 6, byte: 3)
    #expect(configuration.cfg0 == [0x34, 0, 6, 0xFF])
    #expect(configuration.mirror == ASCIIMirror(.uid, page: 6, byte: 3))
    configuration.mirror = nil
    #expect(configuration == Configuration(factory: .ntag210))
  }

  @Test("can be set and read back at every place", arguments: ASCIIMirror.Content.allCases)
  func roundTrip(_ content: ASCIIMirror.Content) {
    for page in UInt8(4)...39 {
      for byte in 0...3 {
        var configuration = Configuration(factory: .ntag213)
        let mirror = ASCIIMirror(content, page: Page(page), byte: byte)
        configuration.mirror = mirror
        #expect(configuration.mirror == mirror)
        #expect(configuration.strongModulation)
      }
    }
    var configuration = Configuration(factory: .ntag213)
    configuration.mirror = ASCIIMirror(content, page: 4, byte: 4)
    #expect(configuration.mirror == nil)
  }

  @Test("is laid over what is read, whole or in part")
  func overlay() throws {
    let mirror = ASCIIMirror(.counter, page: 5, byte: 2)
    let stored = [UInt8](repeating: 0x2E, count: 16)
    let shown = mirror.applied(to: stored, from: 4, uid: Self.uid, counter: 0xABCDEF)
    #expect(String(decoding: shown, as: UTF8.self) == "......ABCDEF....")
    let second = mirror.applied(to: stored, from: 6, uid: Self.uid, counter: 0xABCDEF)
    #expect(String(decoding: second, as: UTF8.self) == "CDEF............")
    #expect(mirror.applied(to: stored, from: 8, uid: Self.uid) == stored)
  }

  @Test("must lie in user memory")
  func bounds() {
    #expect(ASCIIMirror(.uid, page: 4, byte: 0).fits(4...39))
    #expect(ASCIIMirror(.uid, page: 36, byte: 2).fits(4...39))
    #expect(!ASCIIMirror(.uid, page: 36, byte: 3).fits(4...39))
    #expect(!ASCIIMirror(.uidAndCounter, page: 255, byte: 3).fits(4...39))
  }
}
