// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation

/// Which pass of Wallet is asked for.
open class NFCVASCommandConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// What is asked of the pass.
  public enum Mode: Int, Hashable, Sendable {
    case urlOnly = 0
    case normal = 1

    public static var VASModeURLOnly: Mode { .urlOnly }
    public static var VASModeNormal: Mode { .normal }
  }

  open var mode: Mode
  open var passTypeIdentifier: String
  open var url: URL?

  public init(vasMode mode: Mode, passTypeIdentifier: String, url: URL?) {
    (self.mode, self.passTypeIdentifier, self.url) = (mode, passTypeIdentifier, url)
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    NFCVASCommandConfiguration(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
  }
}

@available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode")
public typealias VASMode = NFCVASCommandConfiguration.Mode

/// What a pass answers. Never made here: it takes Apple's own polling frame and a merchant's keys.
open class NFCVASResponse: NSObject, NSCopying, @unchecked Sendable {
  /// The status words of a pass.
  public enum ErrorCode: Int, Hashable, Sendable {
    case success = 0x9000
    case dataNotFound = 0x6A83
    case dataNotActivated = 0x6287
    case wrongParameters = 0x6B00
    case wrongLCField = 0x6700
    case userIntervention = 0x6984
    case incorrectData = 0x6A80
    case unsupportedApplicationVersion = 0x6340

    public static var VASErrorCodeSuccess: ErrorCode { .success }
    public static var VASErrorCodeDataNotFound: ErrorCode { .dataNotFound }
    public static var VASErrorCodeDataNotActivated: ErrorCode { .dataNotActivated }
    public static var VASErrorCodeWrongParameters: ErrorCode { .wrongParameters }
    public static var VASErrorCodeWrongLCField: ErrorCode { .wrongLCField }
    public static var VASErrorCodeUserIntervention: ErrorCode { .userIntervention }
    public static var VASErrorCodeIncorrectData: ErrorCode { .incorrectData }
    public static var VASErrorCodeUnsupportedApplicationVersion: ErrorCode {
      .unsupportedApplicationVersion
    }
  }

  public let status: ErrorCode
  public let vasData: Data
  public let mobileToken: Data

  init(status: ErrorCode, vasData: Data, mobileToken: Data) {
    (self.status, self.vasData, self.mobileToken) = (status, vasData, mobileToken)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

@available(*, deprecated, renamed: "NFCVASResponse.ErrorCode")
public typealias VASErrorCode = NFCVASResponse.ErrorCode

/// Hears what a session with Wallet passes finds.
public protocol NFCVASReaderSessionDelegate: NSObjectProtocol {
  func readerSessionDidBecomeActive(_ session: NFCVASReaderSession)
  func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: any Error)
  func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse])
}

extension NFCVASReaderSessionDelegate {
  public func readerSessionDidBecomeActive(_ session: NFCVASReaderSession) {}
}

/// A session with passes of Wallet. Here it ends with `readerErrorUnsupportedFeature` as soon as it
/// is begun.
open class NFCVASReaderSession: NFCReaderSession, @unchecked Sendable {
  public init(
    vasCommandConfigurations commandConfigurations: [NFCVASCommandConfiguration],
    delegate: any NFCVASReaderSessionDelegate, queue: DispatchQueue?
  ) {
    super.init(
      .unsupported("Passes of Wallet cannot be read here: that takes Apple's own polling frame."),
      delegate: delegate, queue: queue)
  }

  override func handle(_ event: SessionEvent) {
    guard case .ended(let reason) = event,
      let delegate = delegate as? any NFCVASReaderSessionDelegate
    else { return }
    delegate.readerSession(self, didInvalidateWithError: NFCReaderError(reason))
  }
}
