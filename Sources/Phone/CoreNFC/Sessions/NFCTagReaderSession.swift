import Foundation
import PhoneSessions

/// Hears what a tag session finds, on the session's queue.
///
/// developer.apple.com: NFCTagReaderSessionDelegate.
public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
  /// The session looks for tags.
  func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)

  /// Tags were found, at least one; the app decides what becomes of them.
  func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])

  /// The session has ended; the last call of all.
  func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error)
}

extension NFCTagReaderSessionDelegate {
  public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}
}

/// A session with tags by their own commands: MIFARE, ISO 7816, FeliCa.
///
/// developer.apple.com: NFCTagReaderSession.
open class NFCTagReaderSession: NFCReaderSession, @unchecked Sendable {
  /// These options say which tags are looked for.
  public struct PollingOption: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// ISO/IEC 14443: MIFARE, smart cards.
    public static let iso14443 = PollingOption(rawValue: 1)
    /// ISO/IEC 15693, which no PN532 can look for.
    public static let iso15693 = PollingOption(rawValue: 2)
    /// FeliCa.
    public static let iso18092 = PollingOption(rawValue: 4)
    /// Identity documents by PACE. Since 26.4 it combines with the others; alone before.
    @available(iOS 16.0, *)
    public static let pace = PollingOption(rawValue: 8)
  }

  /// A configuration says which tags are looked for, and as what.
  public struct Configuration: Hashable, Sendable {
    /// Which tags are looked for.
    public var pollingOption: PollingOption
    /// Of the applications that the app declares, those that are selected; empty: all.
    public var iso7816SelectIdentifiers: [String]
    /// Of the system codes that the app declares, those that are polled for; empty: all.
    public var feliCaSystemCodes: [String]

    /// Looks for these tags; empty lists take what the app's Info.plist declares.
    public init(
      pollingOption: PollingOption, iso7816SelectIdentifiers: [String] = [],
      feliCaSystemCodes: [String] = []
    ) {
      self.pollingOption = pollingOption
      self.iso7816SelectIdentifiers = iso7816SelectIdentifiers
      self.feliCaSystemCodes = feliCaSystemCodes
    }
  }

  /// Nil where nothing is to be looked for. `queue`: where the delegate is called; nil: a serial
  /// queue of the session's own.
  @available(
    iOS, introduced: 13.0, deprecated: 26.4, renamed: "init(configuration:delegate:queue:)"
  )
  public convenience init?(
    pollingOption: PollingOption, delegate: any NFCTagReaderSessionDelegate,
    queue: DispatchQueue? = nil
  ) {
    guard !pollingOption.isEmpty else { return nil }
    self.init(
      configuration: Configuration(pollingOption: pollingOption), delegate: delegate, queue: queue)
  }

  /// A session with this configuration; calls come on `queue`, nil: a queue of its own.
  public init(
    configuration: Configuration, delegate: any NFCTagReaderSessionDelegate,
    queue: DispatchQueue? = nil
  ) {
    super.init(
      .tag(Polling(rawValue: configuration.pollingOption.rawValue)), delegate: delegate,
      queue: queue,
      applicationIDs: configuration.iso7816SelectIdentifiers.compactMap(AppGrants.applicationID),
      systemCodes: configuration.feliCaSystemCodes.compactMap(AppGrants.systemCode))
  }

  /// The tag that is connected.
  open var connectedTag: NFCTag? {
    engine.connectedTag.map { BenchTag.make($0, of: self).asTag }
  }

  /// Looks for tags again; those that were found are no longer valid.
  /// What is looked for is what the session began with.
  open func restartPolling() { engine.restartPolling() }

  /// Looks for other tags; those that were found are no longer valid. The configuration is not
  /// kept: it holds until polling is restarted again.
  @available(iOS 26.4, *)
  open func restartPolling(configuration: Configuration) {
    engine.restartPolling(
      PhoneSession.Round(
        Polling(rawValue: configuration.pollingOption.rawValue),
        declared.narrowed(
          applicationIDs: configuration.iso7816SelectIdentifiers.compactMap(
            AppGrants.applicationID),
          systemCodes: configuration.feliCaSystemCodes.compactMap(AppGrants.systemCode))))
  }

  /// Connects to a tag that was found. Any other is let go; a tag that is connected already stays
  /// so.
  @preconcurrency open func connect(
    to tag: NFCTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    connect(to: tag.tag as? BenchTag, completionHandler: completionHandler)
  }

  /// Connects to a tag that was found, and returns once it is connected. Any other is let go; a tag
  /// that is connected already stays so.
  nonisolated(nonsending) public func connect(to tag: NFCTag) async throws {
    try await withCheckedThrowingContinuation { continuation in
      connect(to: tag) { continuation.resume(with: Answer((), $0)) }
    }
  }

  override func handle(_ event: SessionEvent) {
    guard let delegate = delegate as? any NFCTagReaderSessionDelegate else { return }
    switch event {
    case .active: delegate.tagReaderSessionDidBecomeActive(self)
    case .detected(let tags):
      delegate.tagReaderSession(self, didDetect: tags.map { BenchTag.make($0, of: self).asTag })
    case .messages: break
    case .ended(let reason):
      delegate.tagReaderSession(self, didInvalidateWithError: NFCReaderError(reason))
    }
  }
}

/// A session with payment cards; here like any other with ISO 7816 cards.
///
/// developer.apple.com: NFCPaymentTagReaderSession.
open class NFCPaymentTagReaderSession: NFCTagReaderSession, @unchecked Sendable {
  /// A session for payment cards; nil where no reader can be used.
  public init(delegate: any NFCTagReaderSessionDelegate, queue: DispatchQueue? = nil) {
    super.init(
      configuration: Configuration(pollingOption: .iso14443), delegate: delegate, queue: queue)
  }
}
