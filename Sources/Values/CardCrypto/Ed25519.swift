import Clibcrypto

/// Signatures with Ed25519 (RFC 8032); libcrypto does the arithmetic.
@safe package final class Ed25519Key {
  /// Bytes of a public key.
  package static let publicByteCount = 32
  package static let signatureByteCount = 64

  private let key: OpaquePointer
  private let isPrivate: Bool

  private init?(_ key: OpaquePointer?, isPrivate: Bool) {
    guard let key = unsafe key else { return nil }
    guard unsafe EVP_PKEY_get_id(key) == NID_ED25519 else {
      unsafe EVP_PKEY_free(key)
      return nil
    }
    unsafe (self.key, self.isPrivate) = (key, isPrivate)
  }

  /// The private key of a PEM file (`openssl genpkey -algorithm ed25519`) without a password; nil
  /// for anything else.
  package convenience init?(privatePEM bytes: [UInt8]) {
    let key = unsafe Self.read(bytes) {
      unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil)
    }
    unsafe self.init(key, isPrivate: true)
  }

  /// The public key of a PEM file (`openssl pkey -pubout`); nil for anything else.
  package convenience init?(publicPEM bytes: [UInt8]) {
    let key = unsafe Self.read(bytes) {
      unsafe PEM_read_bio_PUBKEY($0, nil, { _, _, _, _ in 0 }, nil)
    }
    unsafe self.init(key, isPrivate: false)
  }

  deinit { unsafe EVP_PKEY_free(key) }

  private static func read(
    _ bytes: [UInt8], _ body: (OpaquePointer?) -> OpaquePointer?
  ) -> OpaquePointer? {
    unsafe bytes.withUnsafeBytes { bytes in
      let input = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count))
      defer { _ = unsafe BIO_free(input) }
      return unsafe body(input)
    }
  }

  /// The public key, 32 bytes.
  package var publicKey: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.publicByteCount)
    var count = bytes.count
    precondition(unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1)
    return bytes
  }

  /// The signature of `message`, 64 bytes; nil with a public key.
  package func signature(of message: [UInt8]) -> [UInt8]? {
    guard isPrivate, let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Self.signatureByteCount)
    var count = signature.count
    let isDone =
      unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1
      && EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    return isDone ? signature : nil
  }

  /// Returns whether `signature` is that of `message` by the owner of this key.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}
