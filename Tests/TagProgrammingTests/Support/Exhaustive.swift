#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether every place is to be tried, and not a sample of them: `NFCPROG_EXHAUSTIVE` in the environment.
enum Exhaustive {
  static let isAsked = unsafe getenv("NFCPROG_EXHAUSTIVE") != nil

  /// Whether `product` is to be tried: `NFCPROG_EXHAUSTIVE=mini` asks for one product alone, where a test can be told so.
  static func includes(_ product: String) -> Bool {
    let only = unsafe getenv("NFCPROG_EXHAUSTIVE").map { unsafe String(cString: $0) }
    return only == nil || only == "1" || only == product
  }
}
