import Clibcrypto

/// SHA-256 (FIPS 180-4), of bytes that come piece by piece.
@safe package final class SHA256 {
  package static let byteCount = 32

  /// Looked up once: that takes longer than the hash of a short text. Never changed and never
  /// freed.
  private nonisolated(unsafe) static let algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)

  private let context: OpaquePointer

  package init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex2(context, Self.algorithm, nil) == 1
    else { preconditionFailure("libcrypto's default provider has no SHA-256") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Takes the next bytes.
  package func update(_ bytes: some Sequence<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }.map { precondition($0 == 1, "libcrypto takes any bytes") }
    if done == nil { update(Array(bytes)) }
  }

  /// The hash of all bytes, 32 bytes; nothing more can be hashed with this value.
  package func finalize() -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Self.byteCount)
    precondition(unsafe EVP_DigestFinal_ex(context, &hash, nil) == 1, "the hash was taken before")
    return hash
  }

  /// The hash of all bytes so far, 32 bytes; more can be hashed with this value.
  package var soFar: [UInt8] {
    let copy = SHA256()
    precondition(
      unsafe EVP_MD_CTX_copy_ex(copy.context, context) == 1, "the hash was taken before")
    return copy.finalize()
  }

  /// The hash of `bytes`, 32 bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}
