import Foundation

/// A FeliCa tag, as the system that answered to polling.
///
/// Codes and block elements are given as they go over the air: service and node codes with the low
/// byte first.
///
/// developer.apple.com: NFCFeliCaTag.
public protocol NFCFeliCaTag: NFCNDEFTag, __NFCTag {
  /// The system code that answered: two bytes, the high one first.
  var currentSystemCode: Data { get }
  /// The tag's identity in that system.
  var currentIDm: Data { get }

  /// Polling: PMm, and what `requestCode` asks for. The system has to be one that the app declares.
  @preconcurrency func polling(
    systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
    completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void)

  /// The key version of each of 1 to 32 nodes; FFFFh for one that is not there.
  @preconcurrency func requestService(
    nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

  /// The tag's mode.
  @preconcurrency func requestResponse(
    completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void)

  /// Status flags 1 and 2, and 16 bytes for each block of `blockList` (elements of 2 or 3 bytes),
  /// of 1 to 16 services.
  @preconcurrency func readWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data],
    completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void)

  /// Writes 16 bytes to each block of `blockList`.
  @preconcurrency func writeWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data], blockData: [Data],
    completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

  /// The codes of the tag's systems.
  @preconcurrency func requestSystemCode(
    completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

  /// Flags, the kind of encryption, and the key versions for AES and for DES.
  @preconcurrency func requestServiceV2(
    nodeCodeList: [Data],
    completionHandler:
      @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void)

  /// Flags, the version of the card's OS, and those of its options.
  @preconcurrency func requestSpecificationVersion(
    completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void)

  /// Back to mode 0.
  @preconcurrency func resetMode(
    completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

  /// A packet of at most 254 bytes, its code first; length and CRC are added. The answer is without
  /// them, too.
  @preconcurrency func sendFeliCaCommand(
    commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
}
