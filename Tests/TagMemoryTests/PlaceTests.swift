import Testing

@testable import TagMemory

@Suite("A place on a tag")
struct PlaceTests {
  @Test(
    "is named in the units of its tag, with as many of them as the bytes take",
    arguments: [
      (Place.page(4), 4, "page 4"), (.page(4), 20, "pages 4 to 8"), (.block(5), 16, "block 5"),
      (.feliCaBlock(0), 32, "blocks 0 to 1"), (.sector(3), 6, "sector 3"),
      (.file(id: 0xE104, offset: 2), 1, "file E104 from byte 2 on"),
      (.file(id: 0xE1, offset: 2), 19, "bytes 2 to 20 of file 00E1"),
      (.application(0x0001), 16, "application 000001"),
    ])
  func words(_ place: Place, _ byteCount: Int, _ wanted: String) {
    #expect(place.words(byteCount: byteCount) == wanted)
  }

  /// MF1S50YYX_V1, 8.6.3: key A in bytes 0 to 5, key B in 10 to 15 of the sector's last block.
  @Test("holds keys in a sector trailer only")
  func keys() {
    let keys = [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15]
    #expect((0..<16).filter(Place.block(7).holdsKey) == keys)
    #expect((0..<16).filter(Place.block(143).holdsKey) == keys)
    for place in [Place.block(6), .block(131), .page(7), .feliCaBlock(7)] {
      #expect(!(0..<16).contains(where: place.holdsKey))
    }
  }
}
