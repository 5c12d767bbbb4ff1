// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation
import PhoneSessions

/// The domain of this module's errors.
public let NFCErrorDomain: String = "NFCError"
/// In an error's `userInfo`: the tag's own error code. ISO 15693 only, which is not to be had here.
public let NFCISO15693TagResponseErrorKey: String = "NFCISO15693TagResponseErrorKey"
/// In an error's `userInfo`: the bytes of an answer that had another length than was expected.
public let NFCTagResponseUnexpectedLengthErrorKey: String = "NFCTagResponseUnexpectedLengthErrorKey"

/// Sessions and tags fail with this error: an `NSError` of the domain `NFCErrorDomain`.
///
/// developer.apple.com: NFCReaderError.
public struct NFCReaderError: _BridgedStoredNSError {
  public let _nsError: NSError

  public init(_nsError error: NSError) {
    precondition(error.domain == NFCErrorDomain, "an error of NFCErrorDomain")
    _nsError = error
  }

  /// `NFCErrorDomain`.
  public static var errorDomain: String { NFCErrorDomain }
  #if !canImport(Darwin)
    public static var _nsErrorDomain: String { NFCErrorDomain }
  #endif

  /// The code says what went wrong; the numbers are those of an iPhone.
  public enum Code: Int, _ErrorCodeProtocol, Hashable, Sendable {
    public typealias _ErrorType = NFCReaderError

    /// 1: the reader cannot do this.
    case readerErrorUnsupportedFeature = 1
    /// 2: the app has not declared this.
    case readerErrorSecurityViolation = 2
    /// 3: a parameter is not valid.
    case readerErrorInvalidParameter = 3
    /// 4: a parameter has the wrong length.
    case readerErrorInvalidParameterLength = 4
    /// 5: a parameter is out of its bounds.
    case readerErrorParameterOutOfBound = 5
    /// 6: NFC is switched off. Never given here.
    case readerErrorRadioDisabled = 6
    /// 7: the device may not do this. Never given here.
    case readerErrorIneligible = 7
    /// 8: the user did not allow access. Never given here.
    case readerErrorAccessNotAccepted = 8
    /// 100: the tag was removed or stopped answering.
    case readerTransceiveErrorTagConnectionLost = 100
    /// 101: the tag did not answer after several tries.
    case readerTransceiveErrorRetryExceeded = 101
    /// 102: the tag refused, or its answer was wrong.
    case readerTransceiveErrorTagResponseError = 102
    /// 103: the session has ended.
    case readerTransceiveErrorSessionInvalidated = 103
    /// 104: the tag is not connected.
    case readerTransceiveErrorTagNotConnected = 104
    /// 105: the command is longer than the reader takes.
    case readerTransceiveErrorPacketTooLong = 105
    /// 200: the app or its user ended the session.
    case readerSessionInvalidationErrorUserCanceled = 200
    /// 201: the session timed out; 60 s on a phone.
    case readerSessionInvalidationErrorSessionTimeout = 201
    /// 202: the reader failed.
    case readerSessionInvalidationErrorSessionTerminatedUnexpectedly = 202
    /// 203: another session is active.
    case readerSessionInvalidationErrorSystemIsBusy = 203
    /// 204: the session was to end after the first message.
    case readerSessionInvalidationErrorFirstNDEFTagRead = 204
    /// 300: a command's configuration is not valid.
    case tagCommandConfigurationErrorInvalidParameters = 300
    /// 400: the tag cannot be written.
    case ndefReaderSessionErrorTagNotWritable = 400
    /// 401: the tag does not hold what was written.
    case ndefReaderSessionErrorTagUpdateFailure = 401
    /// 402: the message is longer than the tag takes.
    case ndefReaderSessionErrorTagSizeTooSmall = 402
    /// 403: the tag holds no message.
    case ndefReaderSessionErrorZeroLengthMessage = 403
  }

  /// `Code.readerErrorUnsupportedFeature`.
  public static var readerErrorUnsupportedFeature: Code { .readerErrorUnsupportedFeature }
  /// `Code.readerErrorSecurityViolation`.
  public static var readerErrorSecurityViolation: Code { .readerErrorSecurityViolation }
  /// `Code.readerErrorInvalidParameter`.
  public static var readerErrorInvalidParameter: Code { .readerErrorInvalidParameter }
  /// `Code.readerErrorInvalidParameterLength`.
  public static var readerErrorInvalidParameterLength: Code { .readerErrorInvalidParameterLength }
  /// `Code.readerErrorParameterOutOfBound`.
  public static var readerErrorParameterOutOfBound: Code { .readerErrorParameterOutOfBound }
  /// `Code.readerErrorRadioDisabled`.
  public static var readerErrorRadioDisabled: Code { .readerErrorRadioDisabled }
  /// `Code.readerErrorIneligible`.
  public static var readerErrorIneligible: Code { .readerErrorIneligible }
  /// `Code.readerErrorAccessNotAccepted`.
  public static var readerErrorAccessNotAccepted: Code { .readerErrorAccessNotAccepted }
  /// `Code.readerTransceiveErrorTagConnectionLost`.
  public static var readerTransceiveErrorTagConnectionLost: Code {
    .readerTransceiveErrorTagConnectionLost
  }
  /// `Code.readerTransceiveErrorRetryExceeded`.
  public static var readerTransceiveErrorRetryExceeded: Code {
    .readerTransceiveErrorRetryExceeded
  }
  /// `Code.readerTransceiveErrorTagResponseError`.
  public static var readerTransceiveErrorTagResponseError: Code {
    .readerTransceiveErrorTagResponseError
  }
  /// `Code.readerTransceiveErrorSessionInvalidated`.
  public static var readerTransceiveErrorSessionInvalidated: Code {
    .readerTransceiveErrorSessionInvalidated
  }
  /// `Code.readerTransceiveErrorTagNotConnected`.
  public static var readerTransceiveErrorTagNotConnected: Code {
    .readerTransceiveErrorTagNotConnected
  }
  /// `Code.readerTransceiveErrorPacketTooLong`.
  public static var readerTransceiveErrorPacketTooLong: Code {
    .readerTransceiveErrorPacketTooLong
  }
  /// `Code.readerSessionInvalidationErrorUserCanceled`.
  public static var readerSessionInvalidationErrorUserCanceled: Code {
    .readerSessionInvalidationErrorUserCanceled
  }
  /// `Code.readerSessionInvalidationErrorSessionTimeout`.
  public static var readerSessionInvalidationErrorSessionTimeout: Code {
    .readerSessionInvalidationErrorSessionTimeout
  }
  /// `Code.readerSessionInvalidationErrorSessionTerminatedUnexpectedly`.
  public static var readerSessionInvalidationErrorSessionTerminatedUnexpectedly: Code {
    .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
  }
  /// `Code.readerSessionInvalidationErrorSystemIsBusy`.
  public static var readerSessionInvalidationErrorSystemIsBusy: Code {
    .readerSessionInvalidationErrorSystemIsBusy
  }
  /// `Code.readerSessionInvalidationErrorFirstNDEFTagRead`.
  public static var readerSessionInvalidationErrorFirstNDEFTagRead: Code {
    .readerSessionInvalidationErrorFirstNDEFTagRead
  }
  /// `Code.tagCommandConfigurationErrorInvalidParameters`.
  public static var tagCommandConfigurationErrorInvalidParameters: Code {
    .tagCommandConfigurationErrorInvalidParameters
  }
  /// `Code.ndefReaderSessionErrorTagNotWritable`.
  public static var ndefReaderSessionErrorTagNotWritable: Code {
    .ndefReaderSessionErrorTagNotWritable
  }
  /// `Code.ndefReaderSessionErrorTagUpdateFailure`.
  public static var ndefReaderSessionErrorTagUpdateFailure: Code {
    .ndefReaderSessionErrorTagUpdateFailure
  }
  /// `Code.ndefReaderSessionErrorTagSizeTooSmall`.
  public static var ndefReaderSessionErrorTagSizeTooSmall: Code {
    .ndefReaderSessionErrorTagSizeTooSmall
  }
  /// `Code.ndefReaderSessionErrorZeroLengthMessage`.
  public static var ndefReaderSessionErrorZeroLengthMessage: Code {
    .ndefReaderSessionErrorZeroLengthMessage
  }
}

extension NFCReaderError {
  /// The error of this number, with `reason` as its description.
  init(_ error: SessionError) {
    self.init(
      _nsError: NSError(
        domain: NFCErrorDomain, code: error.code.rawValue,
        userInfo: [NSLocalizedDescriptionKey: error.reason]))
  }
}
