import Bytes
import Testing

@testable import TagMemory

@Suite("Keys in a password's place")
struct Type2KeyTests {
  /// Authentications of an Ultralight AES: that of the data sheet MF0AES(H)20, that of AN13452, and
  /// one with a tag in the field, which libpretixnfc tests itself with.
  static let examples: [[String]] = [
    [
      "00000000000000000000000000000000", "F29B0123F5C00DF612487BBF42468C7E",
      "AFD5A847B84862FF3874A7F07B8DDF351B",
      "CDF22C5F7A92F0AF0155612B9B236AC7A424BC5238D41AD041B8165B7D99E524",
      "002C743D6B1E128F8076BD197B76012CE8",
    ],
    [
      "00000000000000000000000000000000", "42BDF7E08E110F14B6D3323D14F1C2B9",
      "AF374142DAFB0AB97183D846EB7ED379E0",
      "794693B2A31E7F10964A2BD834590AC485F84E9F8B13197AB32433346F60B821",
      "00A17673DCC20D27EE80584ACCFC39E0A3",
    ],
    [
      "000102030405060708090A0B0C0D0E0F", "0293746D6CBE0D637672BD9D3BEC4422",
      "AF85707404563F8AC0CD2D9A18C7DB6239",
      "79C178D209DD780364FEFDA24240B757F02E08A6AD0CABF4A2B3F6557509718F",
      "006251131285824545E764E56A5F8592C4",
    ],
  ]

  @Test("prove themselves as the published authentications do", arguments: examples)
  func authentication(_ example: [String]) throws {
    let rows = try example.map { try Hex.bytes($0) }
    var authentication = KeyAuthentication(.aes, key: rows[0], challenge: rows[1])
    #expect(authentication.answer(to: rows[2]) == rows[3])
    #expect(authentication.isProven(by: rows[4]))
    for index in rows[4].indices {
      var other = rows[4]
      other[index] ^= 1
      #expect(!authentication.isProven(by: other))
    }
    #expect(!authentication.isProven(by: []) && !authentication.isProven(by: rows[3]))
    #expect(authentication.answer(to: []) == nil)
    #expect(authentication.answer(to: Array(rows[2].prefix(9))) == nil)
    #expect(authentication.answer(to: [0x00] + rows[2].dropFirst()) == nil)
  }

  /// MF0ICU2, 7.5.7; the Ultralight AES as libpretixnfc and stustapay write it.
  @Test(
    "stand in their pages from the last byte on",
    arguments: [
      ("ultralight-c", 44, "07060504 03020100 0F0E0D0C 0B0A0908"),
      ("ultralight-aes", 48, "0F0E0D0C 0B0A0908 07060504 03020100"),
    ])
  func pages(_ name: String, _ first: UInt8, _ stored: String) throws {
    let key = try #require(Product.named(name)?.type2?.key)
    let bytes = Array(UInt8(0)...15)
    let pages = key.pages(of: bytes)
    #expect(key.pages.lowerBound == Page(first) && key.pages.count == pages.count)
    #expect(
      Hex.string(pages.flatMap(\.self)).uppercased() == stored.filter { $0 != " " })
    #expect(key.key(in: pages) == bytes)
    #expect(key.key(in: Array(repeating: [0, 0, 0, 0], count: 4)) == nil)
    #expect(key.key(in: Array(pages.prefix(3))) == nil)
  }

  @Test("of an Ultralight AES can be locked by a bit of page 45")
  func locked() throws {
    let map = try #require(Product.ultralightAES.type2)
    var memory = Type2Memory(map)
    #expect(memory.isLocked(48) == nil)
    for (bits, isLocked) in [(0, false), (0x40, true), (0x80, false), (0xE0, true)] {
      memory.store([UInt8(bits), 0, 0, 0], from: 45)
      for page in map.key?.pages ?? 0...0 { #expect(memory.isLocked(page) == isLocked) }
    }
  }

  @Test("protect what the configuration of an Ultralight AES says")
  func configuration() throws {
    let delivered = Configuration(factory: .ultralightAES)
    #expect(delivered.protection(pageCount: 60) == nil)
    #expect(delivered.attemptLimit == 0 && !delivered.demandsMACs && !delivered.hidesUID)
    #expect(delivered.repaired == delivered)
    // stustapay's tags: CMAC and random ID, from page 16 on, reading too, frozen.
    let closed = try Configuration(
      parsing: Hex.bytes("03000010C0050000"), style: .ultralightAES)
    #expect(closed.demandsMACs && closed.hidesUID && closed.isLocked && closed.mirror == nil)
    #expect(closed.protection(pageCount: 60)?.firstPage == 16)
    #expect(closed.protection(pageCount: 60)?.includesReading == true)
    #expect(closed.withoutInertBits(user: 4...39) == closed && closed.repaired == closed)
    // pretix's tags close after 256 wrong keys.
    var limited = delivered
    limited.attemptLimit = 256
    #expect(limited.serialize() == (try Hex.bytes("0000003C8C050001")))
    #expect(limited.attemptLimit == 256)
    limited.attemptLimit = 1023
    #expect(limited.serialize().suffix(2) == [0xFF, 0x03] && limited.attemptLimit == 1023)
    for (torn, repaired) in [
      ("0600003C8C050000", "0000003C8C050000"), ("0101000280050000", "0000003C80050000"),
      // Reserved bits that shut nothing stay.
      ("0400003C8C050000", "0400003C8C050000"), ("000000029C050000", "000000029C050000"),
      ("0000000280050008", "0000000280050008"),
    ] {
      let found = try Configuration(parsing: Hex.bytes(torn), style: .ultralightAES)
      #expect(found.repaired.serialize() == (try Hex.bytes(repaired)), "\(torn)")
    }
  }

  @Test("are said where they are odd")
  func odd() throws {
    func sentences(_ pages: String) throws -> [String] {
      let map = try #require(Product.ultralightAES.type2)
      let place = try #require(map.configuration)
      return try Configuration(parsing: Hex.bytes(pages), style: place.style)
        .oddities(at: place).map { "\($0)" }
    }
    #expect(try sentences("0000003C8C050000") == [])
    #expect(try sentences("000000020C050000") == [])
    #expect(
      try sentences("0000000284050000") == [
        "page 42, byte 0, holds 84, the chip is delivered with 8C: counter 2 needs the key"
      ])
    #expect(
      try sentences("0300003C8C050000") == [
        "page 41, byte 0, holds 03, the chip is delivered with 00: the tag shows a random UID, "
          + "the tag demands secure messaging from whoever proves a key"
      ])
    #expect(
      try sentences("0000003C8C050001") == [
        "page 42, byte 3, holds 01, the chip is delivered with 00: 256 wrong keys lock the tag "
          + "permanently"
      ])
    #expect(
      try sentences("0000003CCC051400") == [
        "page 42, byte 0, holds CC, the chip is delivered with 8C: the configuration is "
          + "permanently frozen",
        "page 42, byte 2, holds 14, the chip is delivered with 00: 20 wrong keys lock the tag "
          + "permanently",
      ])
  }
}
