import Bytes
import Testing

@testable import TagMemory

@Suite("What has been read of a Type 2 tag")
struct Type2MemoryTests {
  @Test("drops pages behind the last one, where an answer starts again with page 0")
  func rollover() throws {
    var memory = Type2Memory(try #require(Product.ntag213.type2))
    memory.store([UInt8](0..<16), from: 43)
    #expect(memory[43] == [0, 1, 2, 3])
    #expect(memory[44] == [4, 5, 6, 7])
    #expect(memory[45] == nil)
    #expect(memory[0] == nil)
    memory.store([1, 2, 3, 4], from: 200)
    memory.store([1, 2, 3], from: 0)
    #expect(memory[0] == nil)
    #expect(memory.bytes(from: 43).count == 8)
    #expect(memory.bytes(of: 42...43) == nil)
    #expect(memory.bytes(of: 43...44) == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test("says nothing of what is not known")
  func unknown() throws {
    let memory = Type2Memory(try #require(Product.ntag213.type2))
    #expect(memory.uid == nil)
    #expect(memory.capabilityContainer == nil)
    #expect(memory.staticLocks == nil)
    #expect(memory.dynamicLocks == nil)
    #expect(memory.configuration == nil)
    #expect(!memory.knowsProtection)
    #expect(memory.isLocked(4) == nil)
    #expect(memory.isLocked(16) == nil)
    let plain = Type2Memory(try #require(Product.ultralight.type2))
    #expect(plain.knowsProtection)
  }

  @Test("knows which pages are locked by either kind of lock byte")
  func locks() throws {
    var memory = Type2Memory(try #require(Product.ntag213.type2))
    memory.store([0, 0, 0x10, 0x80], from: 2)
    memory.store([0x02, 0, 0, 0xBD], from: 40)
    let locked = (0..<45).filter { memory.isLocked(Page(UInt8($0))) == true }
    #expect(locked == [4, 15, 18, 19])
  }

  @Test("knows the protection of an Ultralight C by AUTH0 and AUTH1")
  func tripleDES() throws {
    var memory = Type2Memory(try #require(Product.ultralightC.type2))
    #expect(!memory.knowsProtection)
    memory.store([0x04, 0, 0, 0, 0x01, 0, 0, 0], from: 42)
    #expect(memory.knowsProtection)
    #expect(memory.protection == AccessProtection(auth0: 4, includesReading: false, pageCount: 48))
  }

  @Test("does not know what is protected where a page is unknown that could change it")
  func unknownPages() {
    for product in Product.all {
      guard let map = product.type2 else { continue }
      for page in map.pages {
        func memory(_ content: [UInt8]?) -> Type2Memory {
          var memory = Type2Memory(map)
          for other in map.pages where other != page { memory.store([0, 0, 0, 0], from: other) }
          if let content { memory.store(content, from: page) }
          return memory
        }
        let contents = [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [4, 4, 4, 4]] as [[UInt8]]
        let answers = Set(contents.map { memory($0).protection })
        #expect(
          answers.count == 1 || !memory(nil).knowsProtection, "\(product) page \(page.number)")
      }
    }
  }

  @Test("shows the mirror over what is stored")
  func mirror() throws {
    var memory = Type2Memory(try #require(Product.ntag213.type2))
    let uid = UID([0x04, 0xE1, 0x41, 0x12, 0x4C, 0x28, 0x80])
    memory.store(try #require(uid.type2Bytes) + [0x48, 0, 0], from: 0)
    memory.store([UInt8](repeating: 0x2E, count: 28), from: 12)
    #expect(memory.shown(from: 12) == [UInt8](repeating: 0x2E, count: 28))
    memory.store(try Hex.bytes("D4000CFF10000000"), from: 41)
    #expect(
      String(decoding: memory.shown(from: 12, counter: 0x3F31), as: UTF8.self)
        == ".04E141124C2880x003F31......")
    // A mirror that would run out of user memory shows nothing.
    memory.store(try Hex.bytes("D40026FF10000000"), from: 41)
    #expect(memory.shown(from: 12) == [UInt8](repeating: 0x2E, count: 28))
  }
}
