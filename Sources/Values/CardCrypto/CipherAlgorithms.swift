import Clibcrypto

/// A block cipher's two modes in libcrypto, looked up once in a process.
@safe package struct CipherAlgorithms: @unchecked Sendable {
  // Unchecked: libcrypto never changes an algorithm that it has handed out, and neither is ever
  // freed.
  private let ecb: OpaquePointer
  private let cbc: OpaquePointer

  init(ecb: String, cbc: String) {
    unsafe self.ecb = Self.algorithm(ecb)
    unsafe self.cbc = Self.algorithm(cbc)
  }

  private static func algorithm(_ name: String) -> OpaquePointer {
    guard let algorithm = unsafe EVP_CIPHER_fetch(nil, name, nil) else {
      preconditionFailure("libcrypto's default provider has no \(name)")
    }
    return unsafe algorithm
  }

  /// `input`, whole blocks, through the cipher; chained when there is an `iv`.
  func run(
    _ direction: CipherDirection, _ input: [UInt8], key: [UInt8], iv: [UInt8]? = nil
  ) -> [UInt8] {
    let context = unsafe EVP_CIPHER_CTX_new()
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var output = [UInt8](repeating: 0, count: input.count)
    var count: CInt = 0
    let cipher = unsafe iv == nil ? ecb : cbc
    let done = unsafe [
      EVP_CipherInit_ex2(context, cipher, key, iv, direction.rawValue, nil),
      EVP_CIPHER_CTX_set_padding(context, 0),
      EVP_CipherUpdate(context, &output, &count, input, CInt(input.count)),
    ]
    precondition(done == [1, 1, 1] && count == CInt(input.count), "libcrypto takes whole blocks")
    return output
  }
}

/// Says whether a cipher hides or shows.
enum CipherDirection: CInt {
  case decrypt = 0
  case encrypt = 1
}
