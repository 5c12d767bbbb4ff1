#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Programs that show an error without knowing what it is show whole sentences.
extension BenchError: LocalizedError {
  /// The text says what happened, and what was not done because of it.
  public var errorDescription: String? {
    [reason, consequence].compactMap(\.self).joined(separator: " ")
  }
}
