import TagProgramming

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Programs that show an error without knowing what it is show whole sentences.
extension JobFailure: LocalizedError {
  /// The text says what happened, what the tag holds, and what to do next, in words that name no
  /// command.
  public var errorDescription: String? { message { _ in nil } }

  /// The text says what happened and where.
  public var failureReason: String? { what }

  /// The text says what to do next; nil where nothing can be said.
  public var recoverySuggestion: String? { next.map(capitalized) }
}
