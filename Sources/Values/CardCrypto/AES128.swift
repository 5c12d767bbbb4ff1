/// AES with a key of 128 bits (FIPS 197).
package struct AES128: BlockCipher, Hashable {
  package static let blockByteCount = 16
  package static let algorithms = CipherAlgorithms(ecb: "AES-128-ECB", cbc: "AES-128-CBC")

  package let cipherKey: [UInt8]

  /// `key` has 16 bytes.
  package init(key: [UInt8]) {
    precondition(key.count == 16, "an AES-128 key has 16 bytes")
    cipherKey = key
  }
}
