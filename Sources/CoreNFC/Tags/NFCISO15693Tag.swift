import Foundation

/// An ISO 15693 tag. No PN532 can see one: nothing here is such a tag, and code that deals with
/// them compiles and is never run.
public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
  /// The UID, its first byte first.
  var identifier: Data { get }
  /// The IC's maker.
  var icManufacturerCode: Int { get }
  /// What the maker has numbered the IC with.
  var icSerialNumber: Data { get }

  @preconcurrency func sendCustomCommand(
    commandConfiguration: NFCISO15693CustomCommandConfiguration,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  nonisolated(nonsending) func sendCustomCommand(
    commandConfiguration: NFCISO15693CustomCommandConfiguration
  ) async throws -> Data
  @preconcurrency func readMultipleBlock(
    readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  nonisolated(nonsending) func readMultipleBlock(
    readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration
  ) async throws -> Data
  @preconcurrency func stayQuiet(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func stayQuiet() async throws
  @preconcurrency func readSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  nonisolated(nonsending) func readSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8
  ) async throws -> Data
  @preconcurrency func readSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void)
  @preconcurrency func writeSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func writeSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data) async throws
  @preconcurrency func lockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func lockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws
  @preconcurrency func readMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
  nonisolated(nonsending) func readMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  @preconcurrency func readMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void)
  @preconcurrency func writeMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func writeMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
    async throws
  @preconcurrency func select(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func select(requestFlags flags: NFCISO15693RequestFlag) async throws
  @preconcurrency func resetToReady(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws
  @preconcurrency func writeAFI(
    requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func writeAFI(requestFlags flags: NFCISO15693RequestFlag, afi: UInt8)
    async throws
  @preconcurrency func lockAFI(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws
  @preconcurrency func writeDSFID(
    requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func writeDSFID(requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8)
    async throws
  @preconcurrency func lockDFSID(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func lockDFSID(requestFlags flags: NFCISO15693RequestFlag) async throws
  @preconcurrency func lockDSFID(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws
  @preconcurrency func getMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void)
  nonisolated(nonsending) func getMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [NSNumber]
  @preconcurrency func customCommand(
    requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int,
    customRequestParameters: Data,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  nonisolated(nonsending) func customCommand(
    requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int,
    customRequestParameters: Data
  ) async throws -> Data
  @preconcurrency func customCommand(
    requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int,
    customRequestParameters: Data,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void)
  @preconcurrency func extendedReadSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  nonisolated(nonsending) func extendedReadSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int
  ) async throws -> Data
  @preconcurrency func extendedReadSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void)
  @preconcurrency func extendedWriteSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func extendedWriteSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data) async throws
  @preconcurrency func extendedLockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func extendedLockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws
  @preconcurrency func extendedReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
  nonisolated(nonsending) func extendedReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  @preconcurrency func extendedWriteMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func extendedWriteMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
    async throws
  @preconcurrency func challenge(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  nonisolated(nonsending) func challenge(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data)
    async throws
  @preconcurrency func getSystemInfo(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void)
  @preconcurrency func getSystemInfo(
    requestFlags flags: NFCISO15693RequestFlag,
    resultHandler: @escaping @Sendable (Result<NFCISO15693SystemInfo, any Error>) -> Void)
  nonisolated(nonsending) func systemInfo(requestFlags flags: NFCISO15693RequestFlag)
    async throws -> NFCISO15693SystemInfo
  @preconcurrency func fastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void)
  nonisolated(nonsending) func fastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  @preconcurrency func authenticate(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void)
  nonisolated(nonsending) func authenticate(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data
  ) async throws -> (NFCISO15693ResponseFlag, Data)
  @preconcurrency func keyUpdate(
    requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void)
  nonisolated(nonsending) func keyUpdate(
    requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data
  ) async throws -> (NFCISO15693ResponseFlag, Data)
  @preconcurrency func readBuffer(
    requestFlags flags: NFCISO15693RequestFlag,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void)
  nonisolated(nonsending) func readBuffer(requestFlags flags: NFCISO15693RequestFlag) async throws
    -> (NFCISO15693ResponseFlag, Data)
  @preconcurrency func extendedGetMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler:
      @escaping @Sendable (Result<NFCISO15693MultipleBlockSecurityStatus, any Error>) -> Void)
  nonisolated(nonsending) func extendedGetMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> NFCISO15693MultipleBlockSecurityStatus
  @preconcurrency func extendedFastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void)
  nonisolated(nonsending) func extendedFastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  @preconcurrency func sendRequest(
    requestFlags flags: Int, commandCode: Int, data: Data?,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data?), any Error>) -> Void
  )
  nonisolated(nonsending) func sendRequest(requestFlags flags: Int, commandCode: Int, data: Data?)
    async throws -> (NFCISO15693ResponseFlag, Data?)
}
