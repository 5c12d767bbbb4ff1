/// Why a session ended or an operation failed, with the number that CoreNFC's errors have.
package struct SessionError: Error, Hashable, Sendable {
  /// The values of `NFCReaderError.Code`.
  package enum Code: Int, Hashable, Sendable, CaseIterable {
    case unsupportedFeature = 1
    case securityViolation = 2
    case invalidParameter = 3
    case invalidParameterLength = 4
    case parameterOutOfBound = 5
    case radioDisabled = 6
    case ineligible = 7
    case accessNotAccepted = 8
    case tagConnectionLost = 100
    case retryExceeded = 101
    case tagResponseError = 102
    case sessionInvalidated = 103
    case tagNotConnected = 104
    case packetTooLong = 105
    case userCanceled = 200
    case sessionTimeout = 201
    case terminatedUnexpectedly = 202
    case systemIsBusy = 203
    case firstNDEFTagRead = 204
    case invalidConfiguration = 300
    case tagNotWritable = 400
    case tagUpdateFailure = 401
    case tagSizeTooSmall = 402
    case zeroLengthMessage = 403
  }

  package let code: Code
  /// A sentence: what happened.
  package let reason: String

  package init(_ code: Code, _ reason: String? = nil) {
    self.code = code
    self.reason = reason ?? Self.reason(of: code)
  }

  /// Is true if the reader is no longer usable to the session.
  var endsSession: Bool { code == .terminatedUnexpectedly }

  /// What is said where nothing more is known.
  package static func reason(of code: Code) -> String {
    switch code {
    case .unsupportedFeature: "The reader does not support this."
    case .securityViolation: "The app has not declared this."
    case .invalidParameter: "A parameter is not valid."
    case .invalidParameterLength: "A parameter has the wrong length."
    case .parameterOutOfBound: "A parameter is out of its bounds."
    case .radioDisabled: "The radio is off."
    case .ineligible: "The device may not do this."
    case .accessNotAccepted: "Access was not accepted."
    case .tagConnectionLost: "The connection to the tag is lost."
    case .retryExceeded: "The tag did not answer after several tries."
    case .tagResponseError: "The tag refused, or its answer was wrong."
    case .sessionInvalidated: "The session has ended."
    case .tagNotConnected: "The tag is not connected."
    case .packetTooLong: "The command is too long for the reader."
    case .userCanceled: "The session was ended by the app or its user."
    case .sessionTimeout: "The session timed out."
    case .terminatedUnexpectedly: "The reader failed."
    case .systemIsBusy: "Another session is active."
    case .firstNDEFTagRead: "The first message was read."
    case .invalidConfiguration: "The command's configuration is not valid."
    case .tagNotWritable: "The tag cannot be written."
    case .tagUpdateFailure: "What the tag holds is not what was written."
    case .tagSizeTooSmall: "The message is longer than the tag."
    case .zeroLengthMessage: "The tag holds no message."
    }
  }
}
