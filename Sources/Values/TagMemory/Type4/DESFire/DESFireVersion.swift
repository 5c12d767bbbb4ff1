/// What MIFARE DESFire, NTAG 424 DNA and their kin say of themselves: the first part of
/// GetVersion's answer, seven bytes (MF3ICDx21, 9.4; NT4H2421Gx, 10.5.2). The software's part has
/// the same layout.
///
///     byte  what
///     0     vendor: 04 is NXP
///     1     type: 01 DESFire, 02 Plus, 04 NTAG, 08 DESFire Light; high nibble 8 an implementation
///           elsewhere, 9 an applet
///     2     subtype
///     3, 4  version, major and minor
///     5     storage: 2 to the power of half of it; the lowest bit: that or more, less than twice
///           as much
///     6     protocol
package struct DESFireVersion: Hashable, Sendable {
  package let vendor: UInt8
  package let type: UInt8
  package let subtype: UInt8
  package let major: UInt8
  package let minor: UInt8
  package let storage: UInt8

  /// Reads seven bytes; nil where there are fewer. What follows them is of no interest.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 7 else { return nil }
    (vendor, type, subtype) = (bytes[0], bytes[1], bytes[2])
    (major, minor, storage) = (bytes[3], bytes[4], bytes[5])
  }

  /// As data sheets write it, each byte in hexadecimal: `30.0`.
  package var text: String {
    [major, minor].map { String($0, radix: 16, uppercase: true) }.joined(separator: ".")
  }

  /// The least number of bytes that the chip stores.
  package var leastByteCount: Int { 1 << Int(min(storage >> 1, 20)) }

  /// The product; nil where no table knows it.
  package var product: Product? {
    Self.rows.first { $0.fits(self) }?.product
  }

  /// A product and what its GetVersion says. Nil stands for any value.
  private struct Row {
    let vendor: UInt8?
    let type: UInt8
    let subtype: UInt8?
    let majors: Set<UInt8>
    let product: Product

    init(
      _ type: UInt8, _ majors: Set<UInt8>, _ product: Product, subtype: UInt8? = nil,
      vendor: UInt8? = 0x04
    ) {
      (self.type, self.majors, self.product) = (type, majors, product)
      (self.subtype, self.vendor) = (subtype, vendor)
    }

    func fits(_ version: DESFireVersion) -> Bool {
      type == version.type && majors.contains(version.major)
        && (vendor ?? version.vendor) == version.vendor
        && (subtype ?? version.subtype) == version.subtype
    }
  }

  /// A row each; the first that fits counts. Proxmark3, `cmdhfmfdes.c`, knows the same.
  private static let rows: [Row] = [
    Row(0x01, [0x00], .desFire),
    Row(0x01, [0x01], .desFireEV1),
    Row(0x01, [0x12, 0x22, 0x42], .desFireEV2),
    Row(0x01, [0x33], .desFireEV3),
    // On a chip that does other things, too, and as an applet.
    Row(0x81, [0x42], .desFireEV2, vendor: nil),
    Row(0x81, [0x43], .desFireEV3, vendor: nil),
    Row(0x91, [0x62], .desFireEV2, vendor: nil),
    Row(0x08, [0x30], .desFireLight),
    Row(0x02, [0x11], .plusEV1),
    Row(0x02, [0x22], .plusEV2),
    Row(0x04, [0x10], .ntag413),
    Row(0x04, [0x30], .ntag424TagTamper, subtype: 0x08),
    Row(0x04, [0x30], .ntag424),
  ]
}
