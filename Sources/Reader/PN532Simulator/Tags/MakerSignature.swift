import CardCrypto

/// The signatures over their UIDs that virtual tags show: real ones for the few UIDs whose
/// signatures were published (Proxmark3, `tools/recover_pk.py`; AN12196, table 30), for all others
/// those of a key that everybody knows.
enum MakerSignature {
  /// `isHashed`: the hash of the UID is signed.
  static func bytes(of uid: [UInt8], on curve: EllipticCurve, isHashed: Bool = false) -> [UInt8] {
    if let known = published[uid], known.count == 2 * curve.byteCount { return known }
    // The nonce must differ from UID to UID for no other reason than that it looks right.
    let nonce = Array(SHA256.hash(uid).prefix(curve.byteCount - 1))
    return curve.signature(of: isHashed ? SHA256.hash(uid) : uid, key: testKey(curve), nonce: nonce)
      ?? [UInt8](repeating: 0, count: 2 * curve.byteCount)
  }

  /// 01, 02, 03 …
  static func testKey(_ curve: EllipticCurve) -> [UInt8] { (1...UInt8(curve.byteCount)).map { $0 } }

  private static let published: [[UInt8]: [UInt8]] = [
    // NTAG21x.
    [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80]: hex(
      "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"),
    // Ultralight EV1.
    [0x04, 0xC1, 0x28, 0x5A, 0x37, 0x30, 0x80]: hex(
      "CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7"),
    // Ultralight AES.
    [0x04, 0x5E, 0x4C, 0xC2, 0x45, 0x13, 0x90]: hex(
      "C9BBDA1B99EB6634CDFD8E3251AC5C4742EA5FA507B8A8A8"
        + "B39B19AB7340D173331589C54C56C49F0CCA6DDBAC1E492A"),
    // MIFARE Classic EV1.
    [0x04, 0x33, 0x61, 0x9A, 0xB3, 0x57, 0x80]: hex(
      "B9FAE369EC21C980650D87ED9AE9B1610E859131B4B8699C647548AB68D249BB"),
    // ST25TN.
    [0x02, 0x03, 0x39, 0xA5, 0x94, 0x00, 0x00]: hex(
      "A5E968CEDD7278C46F0FF7ECABAD649C229BCA444915D307E69C1945FA95C9C6"),
    // ST25TA.
    [0x02, 0xE3, 0x00, 0x2F, 0xCD, 0x40, 0x38]: hex(
      "E71B844BCE76C8110B36E5B1E1C0410381BD994F226D5C11D84CA6697A5EB572"),
    // NTAG 424 DNA.
    [0x04, 0x51, 0x8D, 0xFA, 0xA9, 0x61, 0x80]: hex(
      "D1940D17CFEDA4BFF80359AB975F9F6514313E8F90C1D3CAAF5941AD"
        + "744A1CDF9A83F883CAFE0FE95D1939B1B7E47113993324473B785D21"),
  ]

  private static func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
