import Foundation
import PhoneSessions

/// Hears what an NDEF session finds, on the session's queue.
///
/// developer.apple.com: NFCNDEFReaderSessionDelegate.
public protocol NFCNDEFReaderSessionDelegate: NSObjectProtocol {
  /// The session has ended; the last call of all.
  func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error)

  /// Messages were read; polling goes on once the tags have gone. Called only where
  /// `readerSession(_:didDetect:)` is not there.
  func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage])

  /// Tags were found, and the app decides what becomes of them. Optional: without it the session
  /// reads by itself.
  func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag])

  /// The session looks for tags. Optional.
  func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession)
}

extension NFCNDEFReaderSessionDelegate {
  public func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
    session.readByItself()
  }

  public func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
}

/// A session with tags that hold messages: types 2, 3 and 4, in `.bench` mode also MIFARE Classic.
///
/// developer.apple.com: NFCNDEFReaderSession.
open class NFCNDEFReaderSession: NFCReaderSession, @unchecked Sendable {
  /// `queue`: where the delegate is called; nil: a serial queue of the session's own.
  /// `invalidateAfterFirstRead`: the first message that is read ends the session, with
  /// `readerSessionInvalidationErrorFirstNDEFTagRead`; without effect where the delegate has
  /// `readerSession(_:didDetect:)`.
  public init(
    delegate: any NFCNDEFReaderSessionDelegate, queue: DispatchQueue?,
    invalidateAfterFirstRead: Bool
  ) {
    super.init(
      .ndef, delegate: delegate, queue: queue, endsAfterFirstRead: invalidateAfterFirstRead)
  }

  /// Looks for tags again; those that were found are no longer valid.
  open func restartPolling() { engine.restartPolling() }

  /// Connects to a tag that was found. Any other is let go; a tag that is connected already stays
  /// so.
  @preconcurrency open func connect(
    to tag: any NFCNDEFTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    connect(to: tag as? BenchTag, completionHandler: completionHandler)
  }

  /// Connects to a tag that was found, and returns once it is connected. Any other is let go; a tag
  /// that is connected already stays so.
  nonisolated(nonsending) public func connect(to tag: any NFCNDEFTag) async throws {
    try await withCheckedThrowingContinuation { continuation in
      connect(to: tag) { continuation.resume(with: Answer((), $0)) }
    }
  }

  /// The delegate leaves it to the session to read.
  func readByItself() { engine.readMessages() }

  override func handle(_ event: SessionEvent) {
    guard let delegate = delegate as? any NFCNDEFReaderSessionDelegate else { return }
    switch event {
    case .active: delegate.readerSessionDidBecomeActive(self)
    case .detected(let tags):
      delegate.readerSession(self, didDetect: tags.map { BenchTag.make($0, of: self) })
    case .messages(let bytes):
      let messages = bytes.compactMap { NFCNDEFMessage(data: Data($0)) }
      guard !messages.isEmpty else { return }
      if messages.contains(where: { $0.records.allSatisfy { $0.typeNameFormat == .empty } }) {
        NFCBench.say(.emptyMessage)
      }
      delegate.readerSession(self, didDetectNDEFs: messages)
    case .ended(let reason):
      delegate.readerSession(self, didInvalidateWithError: NFCReaderError(reason))
    }
  }
}
