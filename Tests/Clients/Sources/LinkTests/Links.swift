import CoreNFC

/// Writes a link to the first tag that is held to the phone.
final class LinkWriter: LinkSession {
  func write(_ link: String) async throws {
    guard let payload = NFCNDEFPayload.wellKnownTypeURIPayload(string: link) else { return }
    _ = try await run { tag in
      try await tag.writeNDEF(NFCNDEFMessage(records: [payload]))
      return nil
    }
  }
}

/// Reads the link of the first tag that is held to the phone.
final class LinkReader: LinkSession {
  func read() async throws -> String? {
    try await run { tag in
      try await tag.readNDEF().records.first?.wellKnownTypeURIPayload()?.absoluteString
    }
  }
}

/// A session for one tag.
class LinkSession: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
  typealias Work = @Sendable (any NFCNDEFTag) async throws -> String?
  private var work: Work?
  private var continuation: CheckedContinuation<String?, any Error>?
  private var outcome: Result<String?, any Error>?

  func run(_ work: @escaping Work) async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      (self.work, self.continuation) = (work, continuation)
      NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: false).begin()
    }
  }

  func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs: [NFCNDEFMessage]) {}

  func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
    guard let tag = tags.first, let work else { return }
    nonisolated(unsafe) let found = tag
    Task {
      do {
        try await session.connect(to: found)
        outcome = .success(try await work(found))
      } catch {
        outcome = .failure(error)
      }
      session.invalidate()
    }
  }

  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
    continuation?.resume(with: outcome ?? .failure(error))
    continuation = nil
  }
}
