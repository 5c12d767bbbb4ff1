import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("Lock bytes")
struct LockBytesTests {
  @Test(
    "every bit of every chip does what the data sheet says, and nothing else",
    arguments: try LockByteRow.load())
  func everyBit(_ row: LockByteRow) throws {
    let map = try row.map()
    #expect(map.page == row.page)
    for (bit, meaning) in row.bits.enumerated() {
      var page: [UInt8] = [0, 0, 0, 0]
      page[row.byte] = 1 << UInt8(bit)
      let locks = try LockBytes(parsing: page, of: map)
      var (locked, frozen): ([Page], [Page]) = ([], [])
      switch meaning {
      case .nothing: break
      case .locks(let pages): locked = Array(pages)
      case .freezes(let pages): frozen = Array(pages)
      }
      #expect(locks.lockedPages == locked, "bit \(bit)")
      let covered = Set(map.coveredPages)
      #expect(locks.frozenOpenPages == frozen.filter(covered.contains), "bit \(bit)")
      for page in (0..<512).compactMap(Page.init(exactly:)) {
        #expect(locks.isLocked(page) == locked.contains(page))
      }
    }
  }

  @Test("the table covers every product with dynamic lock bytes, and all its user pages from 16 on")
  func complete() throws {
    let listed = Set(try LockByteRow.load().map(\.chip))
    for product in Product.type2Originals {
      let map = try #require(product.type2)
      #expect((map.dynamicLocks != nil) == listed.contains(product.name))
      guard let locks = map.dynamicLocks else {
        #expect(map.user.upperBound <= 15)
        continue
      }
      #expect(Set(locks.coveredPages).isSuperset(of: Array(16...map.user.upperBound)))
      #expect(!locks.coveredPages.contains(locks.page))
      #expect(locks.coveredPages.allSatisfy { map.contains($0) })
    }
  }

  @Test(
    "the bytes that lock all user pages, open to more and frozen",
    arguments: [
      ("ntag213", "FF0F0000", "FF0F3F00"), ("ntag212", "FF030000", "FF031F00"),
      ("ultralight-ev1-21", "FF030000", "FF031F00"), ("ntag215", "FF000000", "FF000F00"),
      ("ntag216", "FF3F0000", "FF3F7F00"), ("ntag203", "EE000000", "FF000000"),
      ("ultralight-c", "EE000000", "FF000000"),
    ])
  func lockEverything(_ name: String, _ open: String, _ frozen: String) throws {
    let map = try #require(Product.named(name)?.type2)
    let blank = LockBytes(unlocked: try #require(map.dynamicLocks))
    let unfrozen = blank.locking(map.user, freezing: false)
    #expect(unfrozen.serialize() == (try Hex.bytes(open)))
    #expect(unfrozen.lockedPages == Array(16...map.user.upperBound))
    let closed = blank.locking(map.user, freezing: true)
    #expect(closed.serialize() == (try Hex.bytes(frozen)))
    #expect(blank.canBecome(unfrozen))
    #expect(unfrozen.canBecome(closed))
    #expect(!closed.canBecome(unfrozen))
  }

  @Test("no block-locking bit of an Ultralight AES is set, and one that is says what it freezes")
  func ultralightAES() throws {
    let map = try #require(Product.ultralightAES.type2)
    let blank = LockBytes(unlocked: try #require(map.dynamicLocks))
    let closed = blank.locking(map.user, freezing: true)
    #expect(closed.serialize() == [0xFF, 0x0F, 0, 0])
    #expect(closed.lockedPages == Array(16...39) && blank.canBecome(closed))
    let frozen = try LockBytes(parsing: [0, 0, 0x01, 0], of: blank.map)
    #expect(frozen.frozenOpenPages == [16, 17, 18, 19])
  }

  @Test("the static bytes that lock everything are FF FF, and go to the end of page 2")
  func lockStatic() throws {
    let closed = LockBytes(unlocked: .static).locking(3...15, freezing: true)
    #expect(closed.serialize() == [0, 0, 0xFF, 0xFF])
    #expect(closed.lockedPages == Array(3...15))
    #expect(
      LockBytes(unlocked: .static).locking(4...15, freezing: false).serialize()
        == [0, 0, 0xF0, 0xFF])
  }

  @Test("what stands beside the lock bytes is ignored and never written")
  func neighbours() throws {
    let fresh = try LockBytes(
      parsing: [0, 0, 0, 0xBD], of: try #require(Product.ntag213.type2?.dynamicLocks))
    #expect(fresh.serialize() == [0, 0, 0, 0])
    let page2 = try LockBytes(parsing: [0xA5, 0x48, 0x10, 0x00], of: .static)
    #expect(page2.lockedPages == [4])
    #expect(page2.serialize() == [0, 0, 0x10, 0x00])
    #expect(page2.description == "10 00")
  }

  @Test("a page that is open behind a block-locking bit can never be locked")
  func frozen() throws {
    let locks = try LockBytes(parsing: [0, 0, 0b0001_0010, 0], of: .static)
    #expect(locks.isLocked(4))
    #expect(locks.canLock(4))
    #expect(!locks.canLock(5))
    #expect(locks.canLock(10))
    #expect(!locks.canBecome(locks.locking(4...15, freezing: false)))
    #expect(locks.canBecome(locks.locking(10...15, freezing: true)))
    #expect(locks.frozenOpenPages == [5, 6, 7, 8, 9])
    #expect(!locks.canBecome(LockBytes(unlocked: .static)))
    #expect(!locks.canLock(16))
  }

  @Test("block-locking 16 to 47 of an NTAG215 freezes both lock bits of these pages")
  func wideFreeze() throws {
    let map = try #require(Product.ntag215.type2?.dynamicLocks)
    let locks = try LockBytes(parsing: [0, 0, 1, 0xBD], of: map)
    #expect(locks.map.bits.filter(locks.isFrozen).map(\.bit) == [0, 1])
  }

  @Test("lock bytes of another length are refused", arguments: [0, 1, 3, 5])
  func length(_ count: Int) {
    #expect(
      throws: TagMemoryError.wrongLength(format: "a page of lock bytes", expected: 4, found: count)
    ) {
      try LockBytes(parsing: [UInt8](repeating: 0, count: count), of: .static)
    }
  }

  @Test(
    "the Lock Control TLV that is right for a chip",
    arguments: [
      ("ntag203", "A01044"), ("ultralight-c", "A01044"), ("ultralight-aes", "A00C34"),
      ("ntag212", "900A34"),
      ("ultralight-ev1-21", "900A34"), ("ntag213", "A00C34"), ("ntag215", "880866"),
      ("ntag216", "E80E66"), ("ntag-i2c-1k", "E80E66"), ("ntag-i2c-plus-1k", "E80E66"),
    ])
  func control(_ name: String, _ value: String) throws {
    let map = try #require(Product.named(name)?.type2?.dynamicLocks)
    let control = try #require(map.control)
    #expect(control.serialize() == (try Hex.bytes(value)))
    #expect(control.byteAddress == map.page.byteOffset)
  }

  @Test("locking never clears a bit and can always be written, wherever the bytes stand")
  func random() throws {
    var generator = SeededGenerator(seed: 7)
    for row in try LockByteRow.load() {
      let map = try row.map()
      for _ in 0..<50 {
        let page = (0..<4).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let locks = try LockBytes(parsing: page, of: map)
        let all = locks.locking(0...511, freezing: true)
        #expect(zip(locks.bytes, all.bytes).allSatisfy { $0 & ~$1 == 0 })
        #expect(locks.canBecome(all) == locks.frozenOpenPages.isEmpty)
      }
    }
  }
}
