import PhoneSessions

/// Why a phone's session or an operation in it failed.
extension ErrorTexts {
  private static let code: KeyValuePairs<String, SessionError.Code> = [
    "unsupportedFeature": .unsupportedFeature,
    "securityViolation": .securityViolation,
    "invalidParameter": .invalidParameter,
    "invalidParameterLength": .invalidParameterLength,
    "parameterOutOfBound": .parameterOutOfBound,
    "radioDisabled": .radioDisabled,
    "ineligible": .ineligible,
    "accessNotAccepted": .accessNotAccepted,
    "tagConnectionLost": .tagConnectionLost,
    "retryExceeded": .retryExceeded,
    "tagResponseError": .tagResponseError,
    "sessionInvalidated": .sessionInvalidated,
    "tagNotConnected": .tagNotConnected,
    "packetTooLong": .packetTooLong,
    "userCanceled": .userCanceled,
    "sessionTimeout": .sessionTimeout,
    "terminatedUnexpectedly": .terminatedUnexpectedly,
    "systemIsBusy": .systemIsBusy,
    "firstNDEFTagRead": .firstNDEFTagRead,
    "invalidConfiguration": .invalidConfiguration,
    "tagNotWritable": .tagNotWritable,
    "tagUpdateFailure": .tagUpdateFailure,
    "tagSizeTooSmall": .tagSizeTooSmall,
    "zeroLengthMessage": .zeroLengthMessage,
  ]

  static let sessions: [ErrorTexts] = [
    ErrorTexts("Code", "PhoneSessions/SessionError.swift", in: "SessionError", code) {
      SessionError.reason(of: $0)
    }
  ]
}
