import Bytes
import Testing

@testable import TagMemory

@Suite("Regions of a Type 2 chip")
struct Type2LayoutTests {
  @Test(
    "cover every page of every chip once, in order",
    arguments: Product.all.filter { $0.type2 != nil })
  func cover(_ product: Product) throws {
    let map = try #require(product.type2)
    let layout = Type2Layout(map)
    #expect(layout.regions.flatMap { Array($0.pages) } == map.pages)
    let user = [map.user] + (map.further.map { [$0] } ?? [])
    #expect(layout.regions.filter { $0.use == .user }.map(\.pages) == user)
    for page in (0..<2 * Page.perSector).compactMap(Page.init(exactly:)) {
      let isUser = user.contains { $0.contains(page) }
      #expect(layout.needsForce(page) == !isUser)
      #expect((layout.warning(for: page) == nil) == isUser)
    }
  }

  @Test(
    "say what lies behind user memory",
    arguments: [
      ("ultralight", ""), ("ultralight-ev1-11", "16-17 configuration, 18-19 password"),
      ("ultralight-ev1-21", "36-36 dynamicLocks, 37-38 configuration, 39-40 password"),
      ("ultralight-c", "40-40 dynamicLocks, 41-41 counter, 42-43 configuration, 44-47 key"),
      (
        "ultralight-aes",
        "40-40 dynamicLocks, 41-42 configuration, 43-44 unknown, 45-45 configuration, "
          + "46-47 unknown, 48-55 key, 56-59 unknown"
      ),
      ("ntag203", "40-40 dynamicLocks, 41-41 counter"),
      ("ntag213", "40-40 dynamicLocks, 41-42 configuration, 43-44 password"),
      ("ntag215", "130-130 dynamicLocks, 131-132 configuration, 133-134 password"),
      ("ntag216", "226-226 dynamicLocks, 227-228 configuration, 229-230 password"),
      ("ntag-i2c-1k", "226-226 dynamicLocks, 232-233 unknown"),
      ("ntag-i2c-2k", "480-480 dynamicLocks, 488-489 unknown"),
    ])
  func tail(_ name: String, _ expected: String) throws {
    let regions = Type2Layout(try #require(Product.named(name)?.type2)).regions
    #expect(regions.prefix(4).map(\.use) == [.uid, .staticLocks, .capabilityContainer, .user])
    let tail = regions.dropFirst(4).map {
      "\($0.pages.lowerBound.number)-\($0.pages.upperBound.number) \($0.use)"
    }
    #expect(tail.joined(separator: ", ") == expected)
  }

  @Test("give the reason in words")
  func words() throws {
    let layout = Type2Layout(try #require(Product.ntag213.type2))
    #expect(layout.warning(for: 1) == "page 1 holds the UID and is read-only")
    #expect(
      layout.warning(for: 2)
        == "page 2 holds the static lock bytes: a bit that is set locks pages permanently")
    #expect(
      layout.warning(for: 3)
        == "page 3 holds the capability container: a bit that is set can never be cleared")
    #expect(
      layout.warning(for: 41)
        == "page 41 holds configuration: a wrong value can close the memory permanently")
    #expect(layout.warning(for: 45) == "the chip has no page 45")
    #expect(Set(Type2Layout.Use.allCases.compactMap(\.warning)).count == 9)
  }
}

@Suite("UID and check bytes, ISO/IEC 14443-3 6.5.2")
struct UIDCheckTests {
  @Test(
    "of 4, 7 and 10 bytes have one, two and three check bytes",
    arguments: [
      ("01020304", "04"), ("04E141124C2880", "2CF6"), ("0102030405060708090A", "888F0C"),
      ("", ""), ("04", ""), ("040404", ""), ("0404040404", ""), ("040404040404", ""),
      ("0404040404040404", ""), ("0404040404040404040404", ""),
    ])
  func checks(_ uid: String, _ checks: String) throws {
    #expect(UID(try Hex.bytes(uid)).blockCheckCharacters == (try Hex.bytes(checks)))
  }

  @Test("stand in pages 0 to 2 of a Type 2 tag")
  func pages() throws {
    let uid = UID([0x04, 0xE1, 0x41, 0x12, 0x4C, 0x28, 0x80])
    // Pages 0 to 2 of the NTAG213F/216F sheet's example.
    let stored: [UInt8] = [0x04, 0xE1, 0x41, 0x2C, 0x12, 0x4C, 0x28, 0x80, 0xF6, 0x48, 0, 0]
    #expect(uid.type2Bytes == Array(stored.prefix(9)))
    #expect(UID(type2Bytes: stored) == uid)
    for index in 0..<9 {
      var damaged = stored
      damaged[index] ^= 0x10
      #expect(UID(type2Bytes: damaged) == nil)
      #expect(UID(type2Bytes: stored.prefix(index)) == nil)
    }
    #expect(UID([1, 2, 3, 4]).type2Bytes == nil)
  }

  @Test("name the maker of a 7-byte UID only")
  func makers() {
    #expect(UID([0x04, 0, 0, 0, 0, 0, 0]).manufacturer == .nxp)
    #expect(UID([0x1D, 0, 0, 0, 0, 0, 0]).manufacturer == .fudan)
    #expect(UID([0x53, 0, 0, 0, 0, 0, 0]).manufacturer == .feiju)
    #expect(UID([0xAB, 0, 0, 0, 0, 0, 0]).manufacturer?.description == "manufacturer ABh")
    #expect(UID([0x04, 0, 0, 0]).manufacturer == nil)
  }
}
