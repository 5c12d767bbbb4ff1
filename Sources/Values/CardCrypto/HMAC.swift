/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
package enum HMAC {
  private static let blockSize = 64

  /// The 32 bytes that only somebody with the key can make of `message`.
  package static func code(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    let short = key.count > blockSize ? SHA256.hash(key) : key
    let padded = short + [UInt8](repeating: 0, count: blockSize - short.count)
    let inner = SHA256()
    inner.update(padded.map { $0 ^ 0x36 })
    inner.update(message)
    let outer = SHA256()
    outer.update(padded.map { $0 ^ 0x5c })
    outer.update(inner.finalize())
    return outer.finalize()
  }
}
