import Bytes
import SeededNumbers
import Testing

@testable import TagMemory

@Suite("NDEF on a Type 2 tag")
struct Type2NDEFTests {
  static let url = "D101105504" + "6578616D706C652E636F6D2F742F31"

  /// A product whose pages hold the given container and data area, and zeros elsewhere; nothing is
  /// protected.
  static func memory(
    _ product: Product, container: String? = nil, area: String, lock: String = "0000",
    known pages: Int? = nil
  ) throws -> Type2Memory {
    let map = try #require(product.type2)
    let uid = try #require(UID([0x04, 1, 2, 3, 4, 5, 6]).type2Bytes)
    var image = uid + [0x48] + (try Hex.bytes(lock))
    image += try container.map { try Hex.bytes($0) } ?? map.capabilityContainer.serialize()
    image += try Hex.bytes(area)
    image += [UInt8](repeating: 0, count: max(0, map.byteCount - image.count))
    var memory = Type2Memory(map, image: image.prefix((pages ?? map.pageCount) * 4))
    if pages == nil, let place = map.configuration {
      memory.store(Configuration(factory: place.style).serialize(), from: place.cfg0)
    }
    if pages == nil, let place = map.tripleDES { memory.store([0x30, 0, 0, 0], from: place.auth0) }
    return memory
  }

  static func ndef(
    _ product: Product, container: String? = nil, area: String, lock: String = "0000"
  ) throws -> Type2NDEF {
    try #require(
      Type2NDEF(
        product, memory: try memory(product, container: container, area: area, lock: lock)))
  }

  @Test(
    "of a chip as delivered is empty and takes what the data sheet promises",
    arguments: Product.type2Originals)
  func delivered(_ product: Product) throws {
    let map = try #require(product.type2)
    let ndef = try Self.ndef(
      product, container: Hex.string(map.deliveredCapabilityContainer.serialize()),
      area: Hex.string(map.deliveredArea))
    #expect(ndef.capacity == product.capacity)
    if map.deliveredCapabilityContainer.isBlank {
      #expect(ndef.status == .notSupported)
      #expect(ndef.containerToWrite == map.capabilityContainer)
      #expect(ndef.faults == [.containerBlank])
    } else {
      #expect(ndef.status == .readWrite)
      #expect(ndef.containerToWrite == nil)
      #expect(ndef.message == [])
      #expect(ndef.faults.isEmpty)
    }
    #expect(ndef.leading == map.deliveredLockControl)
  }

  @Test("reads the message behind the factory's Lock Control TLV and behind none")
  func message() throws {
    let factory = try Self.ndef(.ntag213, area: "0103A00C340314" + Self.url + "FE")
    #expect(factory.message == (try Hex.bytes(Self.url)))
    #expect(factory.leading == (try Hex.bytes("0103A00C34")))
    #expect(factory.capacity == 137)
    #expect(factory.faults.isEmpty)
    #expect(factory.neededByteCount == nil)

    let bare = try Self.ndef(.ntag213, area: "0314" + Self.url + "FE")
    #expect(bare.message == (try Hex.bytes(Self.url)))
    #expect(bare.leading.isEmpty)
    #expect(bare.capacity == 142)
    #expect(bare.status == .readWrite)
  }

  @Test(
    "keeps a right Lock Control TLV and corrects a wrong one",
    arguments: [
      // chip, on the tag, right, before a new message, capacity
      ("ntag213", "0103A00C34", true, "0103A00C34", 137),
      ("ntag213", "0103A01044", false, "0103A00C34", 137),
      ("ntag203", "0103A01044", true, "0103A01044", 137),
      ("ntag203", "0103A00C34", false, "0103A01044", 137),
      ("ultralight-c", "0103A00C34", false, "0103A01044", 137),
      ("ntag212", "0103A01044", false, "0103900A34", 121),
      ("ultralight-ev1-21", "0103A01044", false, "0000000000", 121),
      ("ultralight-ev1-21", "0103900A34", true, "0103900A34", 121),
      ("ntag215", "0103A00C34", false, "0000000000", 487),
      ("ntag215", "0103880866", true, "0103880866", 487),
      ("ntag216", "0103A01044", false, "0000000000", 863),
      ("ntag216", "0103E80E66", true, "0103E80E66", 863),
      ("ntag210", "0103A00C34", false, "0000000000", 41),
      ("ultralight", "0103A01044", false, "0000000000", 41),
      // The same place, told in “pages” of 32 bytes.
      ("ntag213", "0103500C35", true, "0103500C35", 137),
      ("ntag213", "0103A00C340203A00430", true, "0103A00C340203A00430", 132),
      ("ntag213", "0103A01044FD02ABCD", false, "0103A00C34FD02ABCD", 133),
      ("ntag213", "00000103A00C34", true, "00000103A00C34", 135),
      // A damaged one says nothing.
      ("ntag213", "01020707", true, "00000000", 138),
      ("ntag215", "02020707", true, "00000000", 488),
    ])
  func lockControl(
    _ name: String, _ before: String, _ isRight: Bool, _ leading: String, _ capacity: Int
  ) throws {
    let product = try #require(Product.named(name))
    let ndef = try Self.ndef(product, area: before + "0314" + Self.url + "FE")
    let wrong = ndef.faults.contains { if case .lockControlWrong = $0 { true } else { false } }
    #expect(wrong == !isRight)
    #expect(ndef.leading == (try Hex.bytes(leading)))
    #expect(ndef.capacity == capacity)
    #expect(ndef.message == (try Hex.bytes(Self.url)))
    #expect(ndef.status == .readWrite)
  }

  @Test("cannot judge the Lock Control TLV of a chip whose lock bytes are not known")
  func unknownChip() throws {
    let product = try #require(
      Product.unknownType2("a tag", areaByteCount: 144, manufacturer: .fudan))
    let ndef = try Self.ndef(product, area: "0103A010440300FE")
    #expect(ndef.faults.isEmpty)
    #expect(ndef.leading == (try Hex.bytes("0103A01044")))
    #expect(Type2NDEF(.classic1K, memory: Type2Memory(try #require(product.type2))) == nil)
  }

  @Test("says how much more has to be read, page by page up to the whole message")
  func progress() throws {
    let message = [0xC1, 0x01, 0, 0, 0x01, 0x0C, 0x55] + [UInt8](repeating: 0x61, count: 268)
    let area = "03FF0113" + Hex.string(message) + "FE"
    for pages in 4...80 {
      let memory = try Self.memory(.ntag215, area: area, known: pages)
      let ndef = try #require(Type2NDEF(.ntag215, memory: memory))
      let known = (pages - 4) * 4
      // Before the first byte nobody knows whether there is a message, nor where one would stand.
      #expect(ndef.status == (known == 0 ? nil : .readWrite))
      #expect(ndef.neededByteCount == (known == 0 ? 1 : known < 4 + 275 ? 279 : nil))
      #expect(ndef.message == (known < 279 ? nil : message))
      #expect(ndef.capacity == (known == 0 ? nil : 492))
    }
    #expect(Type2NDEF(.ntag215, memory: try Self.memory(.ntag215, area: area, known: 3)) == nil)
  }

  @Test("tells records from what is none")
  func records() throws {
    for good in [Self.url, "D00000", "91010154" + "00" + "5101015400", "D90101015461" + "00"] {
      #expect(Type2NDEF.isMessage(try Hex.bytes(good)), "\(good)")
    }
    for bad in [
      "", "D1", "51010154" + "00", "91010154" + "00", "D70000", "D1010154", "C101FFFFFFFF54",
      "D0000000",
    ] {
      #expect(!Type2NDEF.isMessage(try Hex.bytes(bad)), "\(bad)")
    }
  }

  @Test("comes through whatever the memory holds")
  func hostile() throws {
    var generator = SeededGenerator(seed: 11)
    let products = Product.all.filter { $0.type2 != nil }
    for _ in 0..<400 {
      let product = try #require(products.randomElement(using: &generator))
      let map = try #require(product.type2)
      let count = Int.random(in: 0...map.byteCount + 9, using: &generator)
      var image = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if Bool.random(using: &generator), image.count > 16 {
        image.replaceSubrange(
          12..<16, with: [0xE1, 0x10, UInt8.random(in: 0...255, using: &generator), 0])
        for index in 16..<min(28, image.count) where Bool.random(using: &generator) {
          image[index] = [0x00, 0x01, 0x02, 0x03, 0xFE, 0xFF].randomElement(using: &generator) ?? 0
        }
      }
      let memory = Type2Memory(map, image: image)
      #expect(memory.shown(from: 0).count == memory.bytes(from: 0).count)
      guard let ndef = Type2NDEF(product, memory: memory) else {
        #expect(image.count < 16)
        continue
      }
      #expect(ndef.capacity ?? 0 <= map.user.count * 4)
      #expect(ndef.leading.count <= max(ndef.area.byteCount, map.deliveredLockControl.count))
      if ndef.neededByteCount == nil, ndef.message == nil { #expect(ndef.status == .notSupported) }
    }
  }
}
