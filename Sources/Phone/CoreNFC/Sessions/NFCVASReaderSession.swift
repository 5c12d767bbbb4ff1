// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation

/// Which pass of Wallet is asked for.
///
/// developer.apple.com: NFCVASCommandConfiguration.
open class NFCVASCommandConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// A mode says what is asked of the pass.
  public enum Mode: Int, Hashable, Sendable {
    /// Only the pass's URL is asked for.
    case urlOnly = 0
    /// The pass's data are asked for.
    case normal = 1

    /// The name before iOS 14 of `urlOnly`.
    public static var VASModeURLOnly: Mode { .urlOnly }
    /// The name before iOS 14 of `normal`.
    public static var VASModeNormal: Mode { .normal }
  }

  /// The mode says what is asked of the pass.
  open var mode: Mode
  /// Which pass, such as `pass.com.example.card`.
  open var passTypeIdentifier: String
  /// The URL that the phone gets; nil: none.
  open var url: URL?

  /// Asks for a pass of this type.
  public init(vasMode mode: Mode, passTypeIdentifier: String, url: URL?) {
    (self.mode, self.passTypeIdentifier, self.url) = (mode, passTypeIdentifier, url)
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    NFCVASCommandConfiguration(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
  }
}

/// The name before iOS 14.
@available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode")
public typealias VASMode = NFCVASCommandConfiguration.Mode

/// A pass answers with these values. Never made here: it takes Apple's own polling frame and a
/// merchant's keys.
///
/// developer.apple.com: NFCVASResponse.
open class NFCVASResponse: NSObject, NSCopying, @unchecked Sendable {
  /// The status words of a pass.
  public enum ErrorCode: Int, Hashable, Sendable {
    /// 9000: the pass was read.
    case success = 0x9000
    /// 6A83: no such pass.
    case dataNotFound = 0x6A83
    /// 6287: the pass is not active.
    case dataNotActivated = 0x6287
    /// 6B00: P1 or P2 is wrong.
    case wrongParameters = 0x6B00
    /// 6700: Lc is wrong.
    case wrongLCField = 0x6700
    /// 6984: the user must act first.
    case userIntervention = 0x6984
    /// 6A80: the data of the command are wrong.
    case incorrectData = 0x6A80
    /// 6340: the version of the application is not supported.
    case unsupportedApplicationVersion = 0x6340

    /// The name before iOS 14 of `success`.
    public static var VASErrorCodeSuccess: ErrorCode { .success }
    /// The name before iOS 14 of `dataNotFound`.
    public static var VASErrorCodeDataNotFound: ErrorCode { .dataNotFound }
    /// The name before iOS 14 of `dataNotActivated`.
    public static var VASErrorCodeDataNotActivated: ErrorCode { .dataNotActivated }
    /// The name before iOS 14 of `wrongParameters`.
    public static var VASErrorCodeWrongParameters: ErrorCode { .wrongParameters }
    /// The name before iOS 14 of `wrongLCField`.
    public static var VASErrorCodeWrongLCField: ErrorCode { .wrongLCField }
    /// The name before iOS 14 of `userIntervention`.
    public static var VASErrorCodeUserIntervention: ErrorCode { .userIntervention }
    /// The name before iOS 14 of `incorrectData`.
    public static var VASErrorCodeIncorrectData: ErrorCode { .incorrectData }
    /// The name before iOS 14 of `unsupportedApplicationVersion`.
    public static var VASErrorCodeUnsupportedApplicationVersion: ErrorCode {
      .unsupportedApplicationVersion
    }
  }

  /// The status words.
  public let status: ErrorCode
  /// The data of the pass, in bytes.
  public let vasData: Data
  /// The token of the phone, in bytes.
  public let mobileToken: Data

  init(status: ErrorCode, vasData: Data, mobileToken: Data) {
    (self.status, self.vasData, self.mobileToken) = (status, vasData, mobileToken)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The name before iOS 14.
@available(*, deprecated, renamed: "NFCVASResponse.ErrorCode")
public typealias VASErrorCode = NFCVASResponse.ErrorCode

/// Hears what a session with Wallet passes finds.
///
/// developer.apple.com: NFCVASReaderSessionDelegate.
public protocol NFCVASReaderSessionDelegate: NSObjectProtocol {
  /// The session has begun to look for tags.
  func readerSessionDidBecomeActive(_ session: NFCVASReaderSession)
  /// The session has ended; the error says why. The last call.
  func readerSession(_ session: NFCVASReaderSession, didInvalidateWithError error: any Error)
  /// Passes were read. Never called here.
  func readerSession(_ session: NFCVASReaderSession, didReceive responses: [NFCVASResponse])
}

extension NFCVASReaderSessionDelegate {
  /// The session has begun to look for tags.
  public func readerSessionDidBecomeActive(_ session: NFCVASReaderSession) {}
}

/// A session with passes of Wallet. Here it ends with `readerErrorUnsupportedFeature` as soon as it
/// is begun.
///
/// developer.apple.com: NFCVASReaderSession.
open class NFCVASReaderSession: NFCReaderSession, @unchecked Sendable {
  /// A session that ends with error 1 when it begins: a PN532 cannot read passes.
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
