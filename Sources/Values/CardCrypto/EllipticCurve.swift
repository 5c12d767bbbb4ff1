import Clibcrypto

/// The small curves that makers sign UIDs on, and ECDSA with the bytes themselves in place of a
/// hash (SEC 1, 4.1.4). libcrypto does the arithmetic.
package enum EllipticCurve: Hashable, Sendable {
  case secp128r1, secp192r1, secp224r1

  /// Bytes of a coordinate, and of each half of a signature.
  package var byteCount: Int {
    switch self {
    case .secp128r1: 16
    case .secp192r1: 24
    case .secp224r1: 28
    }
  }

  private var number: CInt {
    switch self {
    case .secp128r1: NID_secp128r1
    case .secp192r1: NID_X9_62_prime192v1
    case .secp224r1: NID_secp224r1
    }
  }

  /// Returns whether `signature`, r and s, is that of `message` by the owner of `publicKey`, 04 and
  /// both coordinates. False for bytes that are no key or no signature.
  package func verifies(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    guard signature.count == 2 * byteCount,
      let work = CurveWork(number), let point = unsafe work.point(publicKey)
    else { return false }
    let r = work.value(Array(signature[..<byteCount]))
    let s = work.value(Array(signature[byteCount...]))
    guard work.isInRange(r), work.isInRange(s), let inverse = work.inverse(s) else { return false }
    let hash = work.value(Array(message.prefix(byteCount)))
    let first = work.product(hash, inverse)
    let second = work.product(r, inverse)
    return unsafe work.abscissa(first, second, point).map { work.isSame($0, r) } ?? false
  }

  /// The signature of `message` with the private key `key` and the number `nonce`, which must be
  /// secret and never come twice where the key is worth anything: virtual tags are signed with a
  /// key that everybody knows. Nil for numbers that do not do.
  package func signature(of message: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    guard let work = CurveWork(number) else { return nil }
    let (k, d) = (work.value(nonce), work.value(key))
    guard work.isInRange(k), work.isInRange(d), let inverse = work.inverse(k),
      let r = unsafe work.abscissa(k, nil, nil)
    else { return nil }
    let sum = work.sum(work.value(Array(message.prefix(byteCount))), work.product(r, d))
    let s = work.product(inverse, sum)
    guard work.isInRange(r), work.isInRange(s) else { return nil }
    return work.bytes(r, byteCount) + work.bytes(s, byteCount)
  }

  /// The public key of the private key `key`, 04 and both coordinates.
  package func publicKey(of key: [UInt8]) -> [UInt8]? {
    guard let work = CurveWork(number) else { return nil }
    return work.publicKey(work.value(key), byteCount)
  }
}

/// A curve and the numbers of one calculation on it, freed together.
@safe private final class CurveWork {
  /// A number, an index into those that this owns.
  struct Number { let index: Int }

  private let group: OpaquePointer
  private let context: OpaquePointer
  private let order: OpaquePointer
  private var numbers: [OpaquePointer] = unsafe []
  private var points: [OpaquePointer] = unsafe []

  init?(_ curve: CInt) {
    guard let group = unsafe EC_GROUP_new_by_curve_name(curve) else { return nil }
    guard let context = unsafe BN_CTX_new(), let order = unsafe EC_GROUP_get0_order(group) else {
      unsafe EC_GROUP_free(group)
      return nil
    }
    unsafe (self.group, self.context, self.order) = (group, context, order)
  }

  deinit {
    while let number = unsafe numbers.popLast() { unsafe BN_free(number) }
    while let point = unsafe points.popLast() { unsafe EC_POINT_free(point) }
    unsafe BN_CTX_free(context)
    unsafe EC_GROUP_free(group)
  }

  private func keep(_ number: OpaquePointer?) -> Number? {
    guard let number = unsafe number else { return nil }
    unsafe numbers.append(number)
    return Number(index: unsafe numbers.count - 1)
  }

  private func pointer(_ number: Number) -> OpaquePointer { unsafe numbers[number.index] }

  private func fresh() -> Number {
    guard let number = unsafe keep(BN_new()) else { preconditionFailure("no memory") }
    return number
  }

  func value(_ bytes: [UInt8]) -> Number {
    guard let number = unsafe keep(BN_bin2bn(bytes, CInt(bytes.count), nil)) else {
      preconditionFailure("no memory")
    }
    return number
  }

  func bytes(_ number: Number, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    _ = unsafe BN_bn2binpad(pointer(number), &bytes, CInt(count))
    return bytes
  }

  /// From 1 to the order, without it.
  func isInRange(_ number: Number) -> Bool {
    unsafe BN_is_zero(pointer(number)) == 0 && BN_cmp(pointer(number), order) < 0
  }

  func isSame(_ one: Number, _ other: Number) -> Bool {
    unsafe BN_cmp(pointer(one), pointer(other)) == 0
  }

  func inverse(_ number: Number) -> Number? {
    unsafe keep(BN_mod_inverse(nil, pointer(number), order, context))
  }

  func product(_ one: Number, _ other: Number) -> Number {
    let result = fresh()
    _ = unsafe BN_mod_mul(pointer(result), pointer(one), pointer(other), order, context)
    return result
  }

  func sum(_ one: Number, _ other: Number) -> Number {
    let result = fresh()
    _ = unsafe BN_mod_add(pointer(result), pointer(one), pointer(other), order, context)
    return result
  }

  /// The point of an uncompressed key; nil where it is not on the curve.
  func point(_ bytes: [UInt8]) -> OpaquePointer? {
    guard let point = unsafe EC_POINT_new(group) else { return nil }
    unsafe points.append(point)
    return unsafe EC_POINT_oct2point(group, point, bytes, bytes.count, context) == 1 ? point : nil
  }

  /// The first coordinate of `one` times the generator and `other` times `point`, modulo the order;
  /// nil at infinity.
  func abscissa(_ one: Number, _ other: Number?, _ point: OpaquePointer?) -> Number? {
    guard let sum = unsafe EC_POINT_new(group) else { return nil }
    unsafe points.append(sum)
    let factor = unsafe other.map { unsafe pointer($0) }
    guard unsafe EC_POINT_mul(group, sum, pointer(one), point, factor, context) == 1 else {
      return nil
    }
    let (x, result) = (fresh(), fresh())
    guard unsafe EC_POINT_get_affine_coordinates(group, sum, pointer(x), nil, context) == 1,
      unsafe BN_nnmod(pointer(result), pointer(x), order, context) == 1
    else { return nil }
    return result
  }

  func publicKey(_ key: Number, _ count: Int) -> [UInt8]? {
    guard let point = unsafe EC_POINT_new(group) else { return nil }
    unsafe points.append(point)
    guard unsafe EC_POINT_mul(group, point, pointer(key), nil, nil, context) == 1 else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 1 + 2 * count)
    let written = unsafe EC_POINT_point2oct(
      group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, context)
    return written == bytes.count ? bytes : nil
  }
}
