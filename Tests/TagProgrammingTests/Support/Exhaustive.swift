#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether every place is to be tried, and not a sample of them: `NFCPROG_EXHAUSTIVE` in the environment.
enum Exhaustive {
  static let isAsked = unsafe getenv("NFCPROG_EXHAUSTIVE") != nil
}
