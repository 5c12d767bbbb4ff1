import Bytes
import Testing

@testable import TagMemory

@Suite("The product table")
struct ProductTests {
  /// NXP's data sheets; the capacities follow from the areas: as delivered, and without a lock TLV.
  /// Of an NTAG I2C 2K the container covers both sectors (NT3H1101/NT3H1201, 8.3.8), of which the
  /// first is used. No public document gives the container of 223 and 224: it is their user memory.
  static let type2 = """
    name               pages user     lock cfg0 container   area capacity without
    ultralight         16    4-15     -    -    00000000    48   46       46
    ultralight-ev1-11  20    4-15     -    16   00000000    48   46       46
    ultralight-ev1-21  41    4-35     36   37   00000000    128  126      126
    ultralight-c       48    4-39     40   -    00000000    144  137      142
    ntag203            42    4-39     40   -    E1101200    144  137      142
    ntag210            20    4-15     -    16   E1100600    48   46       46
    ntag212            41    4-35     36   37   E1101000    128  121      126
    ntag213            45    4-39     40   41   E1101200    144  137      142
    ntag215            135   4-129    130  131  E1103E00    496  492      492
    ntag216            231   4-225    226  227  E1106D00    872  868      868
    ultralight-nano    14    4-13     -    -    00000000    40   38       38
    ultralight-aes     60    4-39     40   41   00000000    144  142      142
    ntag210u           16    4-15     -    -    E1100600    48   46       46
    ntag213f           45    4-39     40   41   E1101200    144  137      142
    ntag215f           135   4-129    130  131  E1103E00    496  492      492
    ntag216f           231   4-225    226  227  E1106D00    872  868      868
    ntag213c           45    4-39     -    -    E1101200    144  142      142
    ntag213tt          46    4-39     40   -    E1101200    144  137      142
    ntag-i2c-1k        234   4-225    226  -    E1106D00    872  868      868
    ntag-i2c-2k        490   4-479    480  -    E110EA00    1872 1868     1868
    ntag-i2c-plus-1k   234   4-225    226  -    00000000    872  868      868
    ntag-i2c-plus-2k   512   4-225    226  -    00000000    872  868      868
    ntag223            60    4-39     -    -    E1101200    144  142      142
    ntag224            76    4-55     -    -    E1101A00    208  206      206
    st25tn512          64    4-19     -    -    E1100800    64   62       62
    st25tn01k          64    4-43     -    -    E1101400    160  158      158
    """.split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }

  @Test("has the memory of every Type 2 chip as its data sheet gives it", arguments: type2)
  func memory(_ row: [String]) throws {
    let product = try #require(Product.named(row[0]))
    let map = try #require(product.type2)
    #expect(map.pageCount == Int(row[1]))
    #expect("\(map.user.lowerBound.number)-\(map.user.upperBound.number)" == row[2])
    #expect(map.dynamicLocks.map { "\($0.page.number)" } ?? "-" == row[3])
    #expect(map.configuration.map { "\($0.cfg0.number)" } ?? "-" == row[4])
    #expect(map.deliveredCapabilityContainer.serialize() == (try Hex.bytes(row[5])))
    #expect(map.areaByteCount == Int(row[6]))
    #expect(
      map.capabilityContainer == CapabilityContainer(areaByteCount: try #require(Int(row[6]))))
    #expect(product.capacity == Int(row[7]))
    #expect(map.deliveredCapacity == Int(row[7]))
    #expect(map.capacity == Int(row[8]))
    #expect(product.byteCount == map.pages.count * 4)
  }

  @Test("lists every Type 2 original in the table above")
  func complete() {
    let listed = Set(Self.type2.map { $0[0] })
    #expect(Set(Product.all.filter { $0.type2 != nil }.map(\.name)) == listed)
  }

  @Test(
    "delivers the content that the chips are delivered with",
    arguments: [
      ("ultralight", ""), ("ultralight-ev1-11", ""), ("ultralight-ev1-21", ""),
      ("ultralight-c", "0103A010440300FE"), ("ntag203", "0103A010440300FE"),
      ("ntag210", "0300FE"), ("ntag212", "0103900A340300FE"), ("ntag213", "0103A00C340300FE"),
      ("ntag215", "0300FE"), ("ntag216", "0300FE"),
    ])
  func deliveredContent(_ name: String, _ content: String) throws {
    let map = try #require(Product.named(name)?.type2)
    #expect(map.deliveredArea == (try Hex.bytes(content)))
    #expect(map.deliveredArea.starts(with: map.deliveredLockControl))
    #expect(map.deliveredLockControl.isEmpty == (content.count < 16))
  }

  @Test(
    "knows the longest message of every MIFARE Classic",
    arguments: [
      ("mini", 5, 320, 190), ("classic1k", 16, 1024, 716), ("classic2k", 32, 2048, 1436),
      ("classic4k", 40, 4096, 3356),
    ])
  func classic(_ name: String, _ sectors: Int, _ bytes: Int, _ capacity: Int) throws {
    let product = try #require(Product.named(name))
    #expect(product.classicSectorCount == sectors)
    #expect(product.byteCount == bytes)
    #expect(product.capacity == capacity)
    #expect(product.type2 == nil)
  }

  @Test(
    "has a product for every simulated tag but the 7-byte 1K, which is a 1K",
    arguments: [
      "classic1k", "classic4k", "mini", "ultralight", "ultralight-ev1-11", "ultralight-ev1-21",
      "ultralight-c", "ultralight-aes", "ntag203", "ntag210", "ntag212", "ntag213", "ntag215",
      "ntag216", "type4", "felica-lite-s",
    ])
  func simulated(_ name: String) {
    #expect(Product.named(name)?.name == name)
    #expect(Product.named("classic1k7b") == nil)
  }

  @Test("names every product once, copies and first versions aside")
  func names() {
    let originals = Product.all.filter {
      !Product.copies.contains($0) && !Product.firstVersions.contains($0)
    }
    #expect(Set(originals.map(\.name)).count == originals.count)
    #expect(Set(Product.all.map(\.displayName)).count == Product.all.count)
    for copy in Product.copies {
      #expect(copy.manufacturer != .nxp)
      #expect(Product.named(copy.name)?.manufacturer == .nxp)
      #expect(Product.named(copy.name)?.memory == copy.memory)
    }
    for first in Product.firstVersions {
      let later = Product.named(first.name)
      #expect(later?.memory == first.memory && !first.features.contains(.fastRead))
      #expect(later?.features == first.features.union([.fastRead]))
    }
  }

  @Test("asks the largest MIFARE Classic first when a card may be larger than it says")
  func classicSizes() {
    let probes = Product.classic1K.classicSizeProbes
    #expect(probes.map(\.block) == [255, 127, 63, 19])
    #expect(probes.map(\.product.name) == ["classic4k", "classic2k", "classic1k", "mini"])
    #expect(Product.ntag213.classicSizeProbes.isEmpty)
  }

  @Test("sizes an unknown Type 2 tag by its data area, within page addresses")
  func unknown() throws {
    let small = try #require(
      Product.unknownType2("a tag", areaByteCount: 48, manufacturer: .fudan)?.type2)
    #expect(small.user == 4...15)
    #expect(small.capacity == 46)
    let large = try #require(
      Product.unknownType2("a tag", areaByteCount: 2040, manufacturer: .fudan)?.type2)
    #expect(large.user == 4...255)
    #expect(large.pageCount == 256)
    for count in -9...3 {
      #expect(Product.unknownType2("a tag", areaByteCount: count, manufacturer: .fudan) == nil)
    }
    #expect(
      Product.unknownType2("a tag", areaByteCount: 48, manufacturer: .fudan)?.canLockAndProtect
        == false)
  }
}
