import CoreNFC

/// Puts links on tags and reads them back, a session each.
final class WakeTags: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
  enum Failure: Error {
    case readOnly, notNDEF
    case tooLong(Int)
  }

  private let message: NFCNDEFMessage?
  private var continuation: CheckedContinuation<[String], any Error>?
  private var session: NFCNDEFReaderSession?
  private var outcome: Result<[String], any Error>?

  /// Nil reads.
  private init(_ message: NFCNDEFMessage?) { self.message = message }

  static func write(_ url: URL) async throws {
    guard let payload = NFCNDEFPayload.wellKnownTypeURIPayload(url: url) else {
      throw Failure.notNDEF
    }
    _ = try await WakeTags(NFCNDEFMessage(records: [payload])).run()
  }

  static func read() async throws -> [String] { try await WakeTags(nil).run() }

  private func run() async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      session = NFCNDEFReaderSession(
        delegate: self, queue: nil, invalidateAfterFirstRead: false)
      session?.alertMessage = "Hold your iPhone near the tag."
      session?.begin()
    }
  }

  func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}

  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}

  func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
    guard tags.count == 1, let tag = tags.first else {
      session.alertMessage = "More than one tag is there. Remove them and try again."
      session.restartPolling()
      return
    }
    session.connect(to: tag) { error in
      if let error { return self.end(.failure(error)) }
      tag.queryNDEFStatus { status, capacity, error in
        if let error { return self.end(.failure(error)) }
        switch status {
        case .notSupported: self.end(.failure(Failure.notNDEF))
        case .readOnly where self.message != nil: self.end(.failure(Failure.readOnly))
        case .readOnly, .readWrite: self.work(on: tag, capacity)
        @unknown default: self.end(.failure(Failure.notNDEF))
        }
      }
    }
  }

  private func work(on tag: any NFCNDEFTag, _ capacity: Int) {
    guard let message else {
      return tag.readNDEF { message, error in
        if let error { return self.end(.failure(error)) }
        let links = message?.records.compactMap { $0.wellKnownTypeURIPayload()?.absoluteString }
        self.end(.success(links ?? []))
      }
    }
    guard message.length <= capacity else {
      return end(.failure(Failure.tooLong(message.length - capacity)))
    }
    tag.writeNDEF(message) { error in
      self.end(error.map { .failure($0) } ?? .success([]))
    }
  }

  private func end(_ outcome: Result<[String], any Error>) {
    self.outcome = outcome
    if case .failure = outcome {
      session?.invalidate(errorMessage: "That did not work.")
    } else {
      session?.invalidate()
    }
  }

  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
    continuation?.resume(with: outcome ?? .failure(error))
    continuation = nil
  }
}
