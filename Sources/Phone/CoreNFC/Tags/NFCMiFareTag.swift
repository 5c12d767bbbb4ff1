import Foundation

/// Which MIFARE a tag is.
///
/// developer.apple.com: NFCMiFareFamily.
public enum NFCMiFareFamily: UInt, Hashable, Sendable {
  /// In `.bench` mode also a MIFARE Classic.
  case unknown = 1
  /// Ultralight and NTAG.
  case ultralight = 2
  /// MIFARE Plus.
  case plus = 3
  /// MIFARE DESFire.
  case desfire = 4
}

/// A MIFARE tag.
///
/// developer.apple.com: NFCMiFareTag.
public protocol NFCMiFareTag: NFCNDEFTag, __NFCTag {
  /// Which family the chip belongs to.
  var mifareFamily: NFCMiFareFamily { get }
  /// The UID.
  var identifier: Data { get }
  /// What the card says of itself in its answer to select; nil where it says nothing.
  var historicalBytes: Data? { get }

  /// A native command. To an Ultralight: with its CRC or without; an acknowledge of 4 bits is
  /// `Data([0x0A])`. To a DESFire or a Plus: frames are followed to the end, and the answer is the
  /// status and the data.
  @preconcurrency func sendMiFareCommand(
    commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
  )

  /// An APDU, to a DESFire or a Plus.
  @preconcurrency func sendMiFareISO7816Command(
    _ apdu: NFCISO7816APDU,
    completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)
}

extension NFCMiFareTag {
  /// Sends a command of the tag without its CRC, at most 253 bytes, and hands over the answer.
  @preconcurrency public func sendMiFareCommand(
    commandPacket command: Data,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
  ) {
    sendMiFareCommand(commandPacket: command) { resultHandler(Answer($0, $1)) }
  }

  /// Sends a command of the tag without its CRC, at most 253 bytes, and hands over the answer.
  nonisolated(nonsending) public func sendMiFareCommand(commandPacket command: Data) async throws
    -> Data
  {
    try await withCheckedThrowingContinuation { continuation in
      sendMiFareCommand(commandPacket: command) { continuation.resume(with: Answer($0, $1)) }
    }
  }

  /// Sends an APDU to a DESFire or Plus and hands over data and status; error 3 for another chip.
  @preconcurrency public func sendMiFareISO7816Command(
    _ apdu: NFCISO7816APDU,
    resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
  ) {
    sendMiFareISO7816Command(apdu) { resultHandler(Answer(NFCISO7816ResponseAPDU($0, $1, $2), $3)) }
  }

  /// Sends an APDU to a DESFire or Plus and hands over data and status; error 3 for another chip.
  nonisolated(nonsending) public func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws
    -> (Data, UInt8, UInt8)
  {
    try await withCheckedThrowingContinuation { continuation in
      sendMiFareISO7816Command(apdu) { continuation.resume(with: Answer(($0, $1, $2), $3)) }
    }
  }

  /// Sends an APDU to a DESFire or Plus and hands over data and status; error 3 for another chip.
  @_disfavoredOverload
  nonisolated(nonsending) public func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws
    -> NFCISO7816ResponseAPDU
  {
    let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendMiFareISO7816Command(apdu)
    return NFCISO7816ResponseAPDU(data, sw1, sw2)
  }
}

extension NFCISO7816ResponseAPDU {
  init(_ data: Data, _ sw1: UInt8, _ sw2: UInt8) {
    self.init(statusWord1: sw1, statusWord2: sw2, payload: data.isEmpty ? nil : data)
  }
}
