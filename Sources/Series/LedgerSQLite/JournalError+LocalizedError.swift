import Foundation

/// Programs that show an error without knowing what it is show whole sentences.
extension JournalError: LocalizedError {
  /// The text says what happened.
  public var errorDescription: String? { description }
}
