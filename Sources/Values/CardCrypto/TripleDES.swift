/// Triple DES: FIPS 46-3 (DES, EDE) and SP 800-67, with one, two or three keys.
package struct TripleDES: BlockCipher, Hashable {
  package static let blockByteCount = 8
  package static let algorithms = CipherAlgorithms(ecb: "DES-EDE3-ECB", cbc: "DES-EDE3-CBC")

  package let cipherKey: [UInt8]

  /// `key` has 8 bytes (it is plain DES then), 16 (the third key is the first) or 24.
  ///
  /// Three equal keys are plain DES: OpenSSL 3 has DES itself only in a provider that is not loaded
  /// by default.
  package init(key: [UInt8]) {
    precondition([8, 16, 24].contains(key.count), "DES keys have 8, 16 or 24 bytes")
    cipherKey =
      switch key.count {
      case 8: key + key + key
      case 16: key + key[..<8]
      default: key
      }
  }
}
