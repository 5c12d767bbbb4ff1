/// The lock bytes of each chip, a table row each; by chip, since the place that the NFC Forum gives
/// as the default (right behind the data area) is user memory on NTAG215 and NTAG216.
extension LockMap {
  /// Bytes 2 and 3 of page 2, alike on every Type 2 tag (MF0ICU1, 7.5.2).
  package static let `static` = LockMap(
    page: .staticLocks, offset: 2, byteCount: 2,
    bits: [
      .freeze(byte: 0, bit: 0, 3...3),
      .freeze(byte: 0, bit: 1, 4...9),
      .freeze(byte: 0, bit: 2, 10...15),
      .run(byte: 0, from: 3, effect: .locks, pages: 3...7, perBit: 1),
      .locks(byte: 1, pages: 8...15, perBit: 1),
    ])

  /// NTAG213 (NTAG213/215/216, 8.5.3).
  static let ntag213 = LockMap(
    page: 40, offset: 0, byteCount: 3,
    control: LockControl(byteAddress: 160, bitCount: 12, bytesPerBit: 8),
    bits: [
      .locks(byte: 0, pages: 16...31, perBit: 2),
      .locks(byte: 1, pages: 32...39, perBit: 2),
      .freezes(byte: 2, pages: 16...39, perBit: 4),
    ])

  /// NTAG212 (NTAG210/212, 8.5.3) and Ultralight EV1 MF0UL21 (MF0ULX1, 8.5.3).
  static let ntag212 = LockMap(
    page: 36, offset: 0, byteCount: 3,
    control: LockControl(byteAddress: 144, bitCount: 10, bytesPerBit: 8),
    bits: [
      .locks(byte: 0, pages: 16...31, perBit: 2),
      .locks(byte: 1, pages: 32...35, perBit: 2),
      .freezes(byte: 2, pages: 16...35, perBit: 4),
    ])

  /// NTAG215 (NTAG213/215/216, 8.5.3).
  static let ntag215 = LockMap(
    page: 130, offset: 0, byteCount: 3,
    control: LockControl(byteAddress: 520, bitCount: 8, bytesPerBit: 64),
    bits: [
      .locks(byte: 0, pages: 16...129, perBit: 16),
      .freezes(byte: 2, pages: 16...129, perBit: 32),
    ])

  /// NTAG216 (NTAG213/215/216, 8.5.3), NTAG I2C 1K and plus 1K (NT3H1101/NT3H1201 and
  /// NT3H2111/NT3H2211, 8.3.8).
  static let ntag216 = LockMap(
    page: 226, offset: 0, byteCount: 3,
    control: LockControl(byteAddress: 904, bitCount: 14, bytesPerBit: 64),
    bits: [
      .locks(byte: 0, pages: 16...143, perBit: 16),
      .locks(byte: 1, pages: 144...225, perBit: 16),
      .freezes(byte: 2, pages: 16...225, perBit: 32),
    ])

  /// NTAG I2C 2K (NT3H1101/NT3H1201, 8.3.8): in sector 1.
  static let ntagI2C2K = LockMap(
    page: 480, offset: 0, byteCount: 3,
    bits: [
      .locks(byte: 0, pages: 16...271, perBit: 32),
      .locks(byte: 1, pages: 272...479, perBit: 32),
      .freezes(byte: 2, pages: 16...479, perBit: 64),
    ])

  /// NTAG I2C plus 2K (NT3H2111/NT3H2211, 8.3.8).
  static let ntagI2CPlus2K = LockMap(
    page: 226, offset: 0, byteCount: 3,
    bits: [
      .locks(byte: 0, pages: 16...207, perBit: 32),
      .lock(byte: 0, bit: 6, 208...225),
      .lock(byte: 0, bit: 7, 256...271),
      .locks(byte: 1, pages: 272...511, perBit: 32),
      .freezes(byte: 2, pages: 16...207, perBit: 64),
      .freeze(byte: 2, bit: 3, 208...271),
      .run(byte: 2, from: 4, effect: .freezes, pages: 272...511, perBit: 64),
    ])

  /// NTAG203 (NTAG203, 8.5.2).
  static let ntag203 = LockMap(
    page: 40, offset: 0, byteCount: 2, control: LockMap.sixteenBytesPerBit,
    bits: LockMap.firstByteOf203 + [
      .freeze(byte: 1, bit: 0, 41...41),
      .lock(byte: 1, bit: 4, 41...41),
    ])

  /// Ultralight C (MF0ICU2, 7.5.3): the counter, AUTH0, AUTH1 and the key have their own bits.
  static let ultralightC = LockMap(
    page: 40, offset: 0, byteCount: 2, control: LockMap.sixteenBytesPerBit,
    bits: LockMap.firstByteOf203 + [
      .freeze(byte: 1, bit: 0, 41...41),
      .freeze(byte: 1, bit: 1, 42...42),
      .freeze(byte: 1, bit: 2, 43...43),
      .freeze(byte: 1, bit: 3, 44...47),
      .lock(byte: 1, bit: 4, 41...41),
      .lock(byte: 1, bit: 5, 42...42),
      .lock(byte: 1, bit: 6, 43...43),
      .lock(byte: 1, bit: 7, 44...47),
    ])

  /// Ultralight AES. That page 28h holds three lock bytes is libpretixnfc's; that a bit of the
  /// first locks two pages from 16 on is stustapay's. With the twelve bits of NTAG213 that is the
  /// user memory to its end. The block-locking bits are taken to be where NTAG213 has them, which
  /// no source says, so none is ever set: a lock bit cannot be cleared without them, either.
  static let ultralightAES = LockMap(
    page: 40, offset: 0, byteCount: 3,
    control: LockControl(byteAddress: 160, bitCount: 12, bytesPerBit: 8), setsFreezes: false,
    bits: [
      .locks(byte: 0, pages: 16...31, perBit: 2),
      .locks(byte: 1, pages: 32...39, perBit: 2),
      .freezes(byte: 2, pages: 16...39, perBit: 4),
    ])

  /// Lock byte 2 of Ultralight C and NTAG203.
  private static let firstByteOf203: [[Bit]] = [
    .freeze(byte: 0, bit: 0, 16...27),
    .run(byte: 0, from: 1, effect: .locks, pages: 16...27, perBit: 4),
    .freeze(byte: 0, bit: 4, 28...39),
    .run(byte: 0, from: 5, effect: .locks, pages: 28...39, perBit: 4),
  ]

  /// A0 10 44, as both chips are delivered with.
  private static let sixteenBytesPerBit = LockControl(
    byteAddress: 160, bitCount: 16, bytesPerBit: 16)
}
