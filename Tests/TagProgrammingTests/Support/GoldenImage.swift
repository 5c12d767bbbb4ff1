/// NDEF-formatted MIFARE Classic images, from the bytes that AN1304 and AN10787 print.
enum GoldenImage {
  private static let madTrailer = "A0A1A2A3A4A5 787788 C1 FFFFFFFFFFFF"
  private static let mad2Trailer = "A0A1A2A3A4A5 787788 C2 FFFFFFFFFFFF"
  private static let nfcTrailer = "D3F7D3F7D3F7 7F0788 40 FFFFFFFFFFFF"
  private static let nfcBlock = "03E1 03E1 03E1 03E1 03E1 03E1 03E1 03E1"
  private static let empty = "0300FE00 00000000 00000000 00000000"

  /// `blank`, a factory image, as formatting leaves it.
  static func formatted(_ product: String, uid: [UInt8], blank: [UInt8]) -> [UInt8] {
    var image = blank
    func put(_ block: Int, _ text: String) {
      let digits = Array(text.filter { $0 != " " })
      let bytes = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)!
      }
      image.replaceSubrange(block * 16..<block * 16 + 16, with: bytes)
    }
    let isLarge = product == "classic4k"
    put(3, isLarge ? mad2Trailer : madTrailer)
    put(4, empty)
    if product == "mini" {
      put(1, "B401 03E1 03E1 03E1 03E1 0500 0500 0500")
      put(2, "0500 0500 0500 0500 0500 0500 0500 0500")
    } else {
      put(1, "1401 03E1 03E1 03E1 03E1 03E1 03E1 03E1")
      put(2, nfcBlock)
    }
    for sector in 1..<(product == "mini" ? 5 : 16) { put(sector * 4 + 3, nfcTrailer) }
    if isLarge {
      put(64, "E801 03E1 03E1 03E1 03E1 03E1 03E1 03E1")
      put(65, nfcBlock)
      put(66, nfcBlock)
      put(67, mad2Trailer)
      for sector in 17..<32 { put(sector * 4 + 3, nfcTrailer) }
      for sector in 32..<40 { put(143 + 16 * (sector - 32), nfcTrailer) }
    }
    return image
  }
}
