import Foundation

/// An ISO 15693 tag. No PN532 can see one: nothing here is such a tag, and code that deals with
/// them compiles and is never run.
///
/// developer.apple.com: NFCISO15693Tag.
public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
  /// The UID, its first byte first.
  var identifier: Data { get }
  /// The IC's maker.
  var icManufacturerCode: Int { get }
  /// What the maker has numbered the IC with.
  var icSerialNumber: Data { get }

  /// Sends a maker's own command (A0h to DFh) and hands over the data of its answer.
  @preconcurrency func sendCustomCommand(
    commandConfiguration: NFCISO15693CustomCommandConfiguration,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  /// Sends a maker's own command (A0h to DFh) and hands over the data of its answer.
  nonisolated(nonsending) func sendCustomCommand(
    commandConfiguration: NFCISO15693CustomCommandConfiguration
  ) async throws -> Data
  /// Reads blocks in chunks, as the configuration says, and hands over their bytes.
  @preconcurrency func readMultipleBlock(
    readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  /// Reads blocks in chunks, as the configuration says, and hands over their bytes.
  nonisolated(nonsending) func readMultipleBlock(
    readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration
  ) async throws -> Data
  /// Sends Stay Quiet: the tag answers only requests with its UID from then on.
  @preconcurrency func stayQuiet(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Sends Stay Quiet: the tag answers only requests with its UID from then on.
  nonisolated(nonsending) func stayQuiet() async throws
  /// Reads the block `blockNumber`, 0 to 255, and hands over its bytes.
  @preconcurrency func readSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  /// Reads the block `blockNumber`, 0 to 255, and hands over its bytes.
  nonisolated(nonsending) func readSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8
  ) async throws -> Data
  /// Reads the block `blockNumber`, 0 to 255, and hands over its bytes.
  @preconcurrency func readSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void)
  /// Writes the bytes of the block `blockNumber`, 0 to 255.
  @preconcurrency func writeSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Writes the bytes of the block `blockNumber`, 0 to 255.
  nonisolated(nonsending) func writeSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data) async throws
  /// Locks the block `blockNumber`, 0 to 255, permanently.
  @preconcurrency func lockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Locks the block `blockNumber`, 0 to 255, permanently.
  nonisolated(nonsending) func lockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws
  /// Reads a range of blocks and hands over the bytes of each.
  @preconcurrency func readMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
  /// Reads a range of blocks and hands over the bytes of each.
  nonisolated(nonsending) func readMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  /// Reads a range of blocks and hands over the bytes of each.
  @preconcurrency func readMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void)
  /// Writes a range of blocks, one element of `dataBlocks` each.
  @preconcurrency func writeMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Writes a range of blocks, one element of `dataBlocks` each.
  nonisolated(nonsending) func writeMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
    async throws
  /// Sends Select: the tag with the UID takes requests with the select flag.
  @preconcurrency func select(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Sends Select: the tag with the UID takes requests with the select flag.
  nonisolated(nonsending) func select(requestFlags flags: NFCISO15693RequestFlag) async throws
  /// Sends Reset to Ready: the tag leaves the states Quiet and Selected.
  @preconcurrency func resetToReady(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Sends Reset to Ready: the tag leaves the states Quiet and Selected.
  nonisolated(nonsending) func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws
  /// Writes the application family identifier (AFI), one byte.
  @preconcurrency func writeAFI(
    requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Writes the application family identifier (AFI), one byte.
  nonisolated(nonsending) func writeAFI(requestFlags flags: NFCISO15693RequestFlag, afi: UInt8)
    async throws
  /// Locks the application family identifier (AFI) permanently.
  @preconcurrency func lockAFI(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Locks the application family identifier (AFI) permanently.
  nonisolated(nonsending) func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws
  /// Writes the data storage format identifier (DSFID), one byte.
  @preconcurrency func writeDSFID(
    requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Writes the data storage format identifier (DSFID), one byte.
  nonisolated(nonsending) func writeDSFID(requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8)
    async throws
  /// Locks the data storage format identifier (DSFID) permanently; the older spelling.
  @preconcurrency func lockDFSID(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Locks the data storage format identifier (DSFID) permanently; the older spelling.
  nonisolated(nonsending) func lockDFSID(requestFlags flags: NFCISO15693RequestFlag) async throws
  /// Locks the data storage format identifier (DSFID) permanently.
  @preconcurrency func lockDSFID(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Locks the data storage format identifier (DSFID) permanently.
  nonisolated(nonsending) func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws
  /// Reads whether each block of a range is locked: 1 if it is.
  @preconcurrency func getMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void)
  /// Reads whether each block of a range is locked: 1 if it is.
  nonisolated(nonsending) func getMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [NSNumber]
  /// Sends a maker's own command (A0h to DFh) and hands over the data of its answer.
  @preconcurrency func customCommand(
    requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int,
    customRequestParameters: Data,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  /// Sends a maker's own command (A0h to DFh) and hands over the data of its answer.
  nonisolated(nonsending) func customCommand(
    requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int,
    customRequestParameters: Data
  ) async throws -> Data
  /// Sends a maker's own command (A0h to DFh) and hands over the data of its answer.
  @preconcurrency func customCommand(
    requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int,
    customRequestParameters: Data,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void)
  /// Reads the block `blockNumber`, 0 to 65535, and hands over its bytes.
  @preconcurrency func extendedReadSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
    completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
  /// Reads the block `blockNumber`, 0 to 65535, and hands over its bytes.
  nonisolated(nonsending) func extendedReadSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int
  ) async throws -> Data
  /// Reads the block `blockNumber`, 0 to 65535, and hands over its bytes.
  @preconcurrency func extendedReadSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
    resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void)
  /// Writes the bytes of the block `blockNumber`, 0 to 65535.
  @preconcurrency func extendedWriteSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Writes the bytes of the block `blockNumber`, 0 to 65535.
  nonisolated(nonsending) func extendedWriteSingleBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data) async throws
  /// Locks the block `blockNumber`, 0 to 65535, permanently.
  @preconcurrency func extendedLockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Locks the block `blockNumber`, 0 to 65535, permanently.
  nonisolated(nonsending) func extendedLockBlock(
    requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws
  /// Reads a range of blocks, numbers to 65535, and hands over the bytes of each.
  @preconcurrency func extendedReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
  /// Reads a range of blocks, numbers to 65535, and hands over the bytes of each.
  nonisolated(nonsending) func extendedReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  /// Writes a range of blocks, numbers to 65535.
  @preconcurrency func extendedWriteMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Writes a range of blocks, numbers to 65535.
  nonisolated(nonsending) func extendedWriteMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
    async throws
  /// Sends Challenge of a crypto suite (ISO/IEC 29167); the tag computes and answers later.
  @preconcurrency func challenge(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void)
  /// Sends Challenge of a crypto suite (ISO/IEC 29167); the tag computes and answers later.
  nonisolated(nonsending) func challenge(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data)
    async throws
  /// Reads DSFID, AFI, block size in bytes, number of blocks and IC reference.
  @preconcurrency func getSystemInfo(
    requestFlags flags: NFCISO15693RequestFlag,
    completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void)
  /// Reads DSFID, AFI, block size in bytes, number of blocks and IC reference.
  @preconcurrency func getSystemInfo(
    requestFlags flags: NFCISO15693RequestFlag,
    resultHandler: @escaping @Sendable (Result<NFCISO15693SystemInfo, any Error>) -> Void)
  /// Reads UID, DSFID, AFI, block size in bytes, number of blocks and IC reference.
  nonisolated(nonsending) func systemInfo(requestFlags flags: NFCISO15693RequestFlag)
    async throws -> NFCISO15693SystemInfo
  /// Reads a range of blocks at the tag's fast data rate and hands over the bytes of each.
  @preconcurrency func fastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void)
  /// Reads a range of blocks at the tag's fast data rate and hands over the bytes of each.
  nonisolated(nonsending) func fastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  /// Sends Authenticate of a crypto suite (ISO/IEC 29167) and hands over flags and data.
  @preconcurrency func authenticate(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void)
  /// Sends Authenticate of a crypto suite (ISO/IEC 29167) and hands over flags and data.
  nonisolated(nonsending) func authenticate(
    requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data
  ) async throws -> (NFCISO15693ResponseFlag, Data)
  /// Sends Key Update of a crypto suite (ISO/IEC 29167) and hands over flags and data.
  @preconcurrency func keyUpdate(
    requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void)
  /// Sends Key Update of a crypto suite (ISO/IEC 29167) and hands over flags and data.
  nonisolated(nonsending) func keyUpdate(
    requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data
  ) async throws -> (NFCISO15693ResponseFlag, Data)
  /// Reads the answer that a crypto suite left in the tag's buffer.
  @preconcurrency func readBuffer(
    requestFlags flags: NFCISO15693RequestFlag,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void)
  /// Reads the answer that a crypto suite left in the tag's buffer.
  nonisolated(nonsending) func readBuffer(requestFlags flags: NFCISO15693RequestFlag) async throws
    -> (NFCISO15693ResponseFlag, Data)
  /// Reads whether each block of a range, numbers to 65535, is locked.
  @preconcurrency func extendedGetMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler:
      @escaping @Sendable (Result<NFCISO15693MultipleBlockSecurityStatus, any Error>) -> Void)
  /// Reads whether each block of a range, numbers to 65535, is locked.
  nonisolated(nonsending) func extendedGetMultipleBlockSecurityStatus(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> NFCISO15693MultipleBlockSecurityStatus
  /// Reads a range of blocks, numbers to 65535, at the tag's fast data rate.
  @preconcurrency func extendedFastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void)
  /// Reads a range of blocks, numbers to 65535, at the tag's fast data rate.
  nonisolated(nonsending) func extendedFastReadMultipleBlocks(
    requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange
  ) async throws -> [Data]
  /// Sends a request of these flags and this command code and hands over flags and data.
  @preconcurrency func sendRequest(
    requestFlags flags: Int, commandCode: Int, data: Data?,
    resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data?), any Error>) -> Void
  )
  /// Sends a request of these flags and this command code and hands over flags and data.
  nonisolated(nonsending) func sendRequest(requestFlags flags: Int, commandCode: Int, data: Data?)
    async throws -> (NFCISO15693ResponseFlag, Data?)
}
