import Foundation

/// A status says whether a tag can hold a message.
///
/// developer.apple.com: NFCNDEFStatus.
public enum NFCNDEFStatus: UInt, Hashable, Sendable {
  /// The tag is not formatted for NDEF, or cannot be.
  case notSupported = 1
  /// A message can be read and changed.
  case readWrite = 2
  /// A message can be read and not be changed.
  case readOnly = 3
}

/// A tag as far as its message goes. It has to be connected first.
///
/// Handlers run on the session's queue.
///
/// developer.apple.com: NFCNDEFTag.
public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
  /// Is true if the tag is connected and was in the field at the last exchange. Never blocks.
  var isAvailable: Bool { get }

  /// Status and the longest message in bytes.
  @preconcurrency func queryNDEFStatus(
    completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void)

  /// The message; nil with an error, `ndefReaderSessionErrorZeroLengthMessage` where the tag is
  /// empty.
  @preconcurrency func readNDEF(
    completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void)

  /// Puts the message on the tag and reads it back.
  @preconcurrency func writeNDEF(
    _ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void)

  /// Makes the tag read-only for good.
  @preconcurrency func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
}

extension NFCNDEFTag {
  /// Status and the longest message in bytes.
  nonisolated(nonsending) public func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) {
    try await withCheckedThrowingContinuation { continuation in
      queryNDEFStatus { status, capacity, error in
        continuation.resume(with: Answer((status, capacity), error))
      }
    }
  }

  /// The message. Throws `ndefReaderSessionErrorZeroLengthMessage` where the tag is empty.
  nonisolated(nonsending) public func readNDEF() async throws -> NFCNDEFMessage {
    try await withCheckedThrowingContinuation { continuation in
      readNDEF { message, error in
        continuation.resume(with: Answer(message ?? NFCNDEFMessage(records: []), error))
      }
    }
  }

  /// Puts the message on the tag and reads it back.
  nonisolated(nonsending) public func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
    try await withCheckedThrowingContinuation { continuation in
      writeNDEF(ndefMessage) { continuation.resume(with: Answer((), $0)) }
    }
  }

  /// Makes the tag read-only for good.
  nonisolated(nonsending) public func writeLock() async throws {
    try await withCheckedThrowingContinuation { continuation in
      writeLock { continuation.resume(with: Answer((), $0)) }
    }
  }
}

/// What a completion handler was given, as a result: the value counts where there is no error.
typealias Answer<Value> = Result<Value, any Error>

extension Result where Failure == any Error {
  init(_ value: Success, _ error: (any Error)?) {
    self = if let error { .failure(error) } else { .success(value) }
  }
}
