import Foundation

/// A smart card on which an application was selected when it was found.
///
/// developer.apple.com: NFCISO7816Tag.
public protocol NFCISO7816Tag: NFCNDEFTag, __NFCTag {
  /// That application, in upper-case hexadecimal digits.
  var initialSelectedAID: String { get }
  /// The UID, of type B the PUPI.
  var identifier: Data { get }
  /// What a type A card says of itself in its answer to select; nil where it says nothing.
  var historicalBytes: Data? { get }
  /// What a type B card says of its applications; nil for type A.
  var applicationData: Data? { get }
  /// Is true if `applicationData` is coded in the maker's own way.
  var proprietaryApplicationDataCoding: Bool { get }
  /// Is true if the card, an identity document, does PACE; false where the session does not poll
  /// for such cards.
  @available(iOS 26.4, *)
  var supportsPACE: Bool { get }

  /// Sends an APDU. SELECT by name of an application that the app has not declared fails with
  /// `readerErrorSecurityViolation`.
  @preconcurrency func sendCommand(
    apdu: NFCISO7816APDU,
    completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)
}

extension NFCISO7816Tag {
  /// Sends an APDU and hands over data and status words; error 2 for a SELECT that is not declared.
  @preconcurrency public func sendCommand(
    apdu: NFCISO7816APDU,
    resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
  ) {
    sendCommand(apdu: apdu) { resultHandler(Answer(NFCISO7816ResponseAPDU($0, $1, $2), $3)) }
  }

  /// Sends an APDU and hands over data and status words; error 2 for a SELECT that is not declared.
  nonisolated(nonsending) public func sendCommand(apdu: NFCISO7816APDU) async throws
    -> (Data, UInt8, UInt8)
  {
    try await withCheckedThrowingContinuation { continuation in
      sendCommand(apdu: apdu) { continuation.resume(with: Answer(($0, $1, $2), $3)) }
    }
  }

  /// Sends an APDU and returns data and status words as an object, where the caller says that it
  /// wants one: as on a phone, `let answer = try await tag.sendCommand(apdu: apdu)` is the tuple.
  /// Throws error 2 for a SELECT that is not declared.
  @_disfavoredOverload
  nonisolated(nonsending) public func sendCommand(apdu: NFCISO7816APDU) async throws
    -> NFCISO7816ResponseAPDU
  {
    let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendCommand(apdu: apdu)
    return NFCISO7816ResponseAPDU(data, sw1, sw2)
  }
}
