import Foundation

/// Hears what a session with ISO 15693 tags finds.
///
/// developer.apple.com: NFCReaderSessionDelegate.
public protocol NFCReaderSessionDelegate: NSObjectProtocol {
  /// The session has begun to look for tags.
  func readerSessionDidBecomeActive(_ session: NFCReaderSession)
  /// The session has ended; the error says why. The last call.
  func readerSession(_ session: NFCReaderSession, didInvalidateWithError error: any Error)
  /// Tags were found.
  func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag])
}

extension NFCReaderSessionDelegate {
  /// The session has begun to look for tags.
  public func readerSessionDidBecomeActive(_ session: NFCReaderSession) {}
  /// Tags were found.
  public func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag]) {}
}

public typealias __NFCReaderSessionDelegate = NFCReaderSessionDelegate

/// A session with ISO 15693 tags. Here it ends with `readerErrorUnsupportedFeature` as soon as it
/// is begun.
///
/// developer.apple.com: NFCISO15693ReaderSession.
open class NFCISO15693ReaderSession: NFCReaderSession, @unchecked Sendable {
  /// A session that ends with error 1 when it begins: a PN532 cannot look for ISO 15693 tags.
  public init(delegate: any NFCReaderSessionDelegate, queue: DispatchQueue?) {
    super.init(
      .unsupported("A PN532 cannot look for ISO 15693 tags."), delegate: delegate, queue: queue)
  }

  /// Has no effect: the session does not begin.
  open func restartPolling() {}

  override func handle(_ event: SessionEvent) {
    guard case .ended(let reason) = event, let delegate = delegate as? any NFCReaderSessionDelegate
    else { return }
    delegate.readerSession(self, didInvalidateWithError: NFCReaderError(reason))
  }
}
