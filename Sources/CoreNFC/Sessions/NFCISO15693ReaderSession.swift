import Foundation

/// Hears what a session with ISO 15693 tags finds.
public protocol NFCReaderSessionDelegate: NSObjectProtocol {
  func readerSessionDidBecomeActive(_ session: NFCReaderSession)
  func readerSession(_ session: NFCReaderSession, didInvalidateWithError error: any Error)
  func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag])
}

extension NFCReaderSessionDelegate {
  public func readerSessionDidBecomeActive(_ session: NFCReaderSession) {}
  public func readerSession(_ session: NFCReaderSession, didDetect tags: [any __NFCTag]) {}
}

public typealias __NFCReaderSessionDelegate = NFCReaderSessionDelegate

/// A session with ISO 15693 tags. Here it ends with `readerErrorUnsupportedFeature` as soon as it
/// is begun.
open class NFCISO15693ReaderSession: NFCReaderSession, @unchecked Sendable {
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
