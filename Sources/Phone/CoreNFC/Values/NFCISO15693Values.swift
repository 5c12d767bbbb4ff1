import Foundation

/// How often and how fast a command is repeated.
///
/// developer.apple.com: NFCTagCommandConfiguration.
open class NFCTagCommandConfiguration: NSObject, NSCopying, @unchecked Sendable {
  /// How often the command is repeated when it fails; 0: never.
  open var maximumRetries = 0
  /// Seconds.
  open var retryInterval: TimeInterval = 0

  /// No repetitions.
  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NFCTagCommandConfiguration()
    (copy.maximumRetries, copy.retryInterval) = (maximumRetries, retryInterval)
    return copy
  }
}

/// A maker's own command to an ISO 15693 tag.
///
/// developer.apple.com: NFCISO15693CustomCommandConfiguration.
open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration, @unchecked Sendable {
  /// The IC maker's code (ISO/IEC 7816-6).
  open var manufacturerCode: Int
  /// The command's code, A0h to DFh.
  open var customCommandCode: Int
  /// These bytes follow the command code.
  open var requestParameters: Data

  /// A command of this maker, with these parameters.
  public init(manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?) {
    (self.manufacturerCode, self.customCommandCode) = (manufacturerCode, customCommandCode)
    self.requestParameters = requestParameters ?? Data()
    super.init()
  }

  /// A command of this maker, with these parameters.
  public convenience init(
    manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?, maximumRetries: Int,
    retryInterval: TimeInterval
  ) {
    self.init(
      manufacturerCode: manufacturerCode, customCommandCode: customCommandCode,
      requestParameters: requestParameters)
    (self.maximumRetries, self.retryInterval) = (maximumRetries, retryInterval)
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    NFCISO15693CustomCommandConfiguration(
      manufacturerCode: manufacturerCode, customCommandCode: customCommandCode,
      requestParameters: requestParameters, maximumRetries: maximumRetries,
      retryInterval: retryInterval)
  }
}

/// Which blocks of an ISO 15693 tag are read, and how many at a time.
///
/// developer.apple.com: NFCISO15693ReadMultipleBlocksConfiguration.
open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration,
  @unchecked Sendable
{
  /// The blocks to read: the first, and how many.
  open var range: NSRange
  /// How many blocks one command reads.
  open var chunkSize: Int

  /// Reads `range` in chunks of `chunkSize` blocks.
  public init(range: NSRange, chunkSize: Int) {
    (self.range, self.chunkSize) = (range, chunkSize)
    super.init()
  }

  /// Reads `range` in chunks of `chunkSize` blocks.
  public convenience init(
    range: NSRange, chunkSize: Int, maximumRetries: Int, retryInterval: TimeInterval
  ) {
    self.init(range: range, chunkSize: chunkSize)
    (self.maximumRetries, self.retryInterval) = (maximumRetries, retryInterval)
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    NFCISO15693ReadMultipleBlocksConfiguration(
      range: range, chunkSize: chunkSize, maximumRetries: maximumRetries,
      retryInterval: retryInterval)
  }
}

/// The flags of a request (ISO/IEC 15693-3, 7.3.1).
///
/// developer.apple.com: NFCISO15693RequestFlag.
public struct NFCISO15693RequestFlag: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The tag answers with two subcarriers.
  public static let dualSubCarriers = NFCISO15693RequestFlag(rawValue: 0x01)
  /// The tag answers at its high data rate.
  public static let highDataRate = NFCISO15693RequestFlag(rawValue: 0x02)
  /// The protocol is extended.
  public static let protocolExtension = NFCISO15693RequestFlag(rawValue: 0x08)
  /// Only the tag in the state Selected answers.
  public static let select = NFCISO15693RequestFlag(rawValue: 0x10)
  /// Only the tag with this UID answers.
  public static let address = NFCISO15693RequestFlag(rawValue: 0x20)
  /// An option of the command.
  public static let option = NFCISO15693RequestFlag(rawValue: 0x40)
  /// Bit 8, whose meaning depends on the command.
  public static let commandSpecificBit8 = NFCISO15693RequestFlag(rawValue: 0x80)
}

/// The name before iOS 14.
public typealias RequestFlag = NFCISO15693RequestFlag

/// The flags of an answer (ISO/IEC 15693-3, 7.4.1).
///
/// developer.apple.com: NFCISO15693ResponseFlag.
public struct NFCISO15693ResponseFlag: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The tag reports an error.
  public static let error = NFCISO15693ResponseFlag(rawValue: 0x01)
  /// The response buffer holds a result.
  public static let responseBufferValid = NFCISO15693ResponseFlag(rawValue: 0x02)
  /// This is the last response of a cryptographic command.
  public static let finalResponse = NFCISO15693ResponseFlag(rawValue: 0x04)
  /// The protocol is extended.
  public static let protocolExtension = NFCISO15693ResponseFlag(rawValue: 0x08)
  /// The first bit of the block's security status.
  public static let blockSecurityStatusBit5 = NFCISO15693ResponseFlag(rawValue: 0x10)
  /// The second bit of the block's security status.
  public static let blockSecurityStatusBit6 = NFCISO15693ResponseFlag(rawValue: 0x20)
  /// The tag asks for more time.
  public static let waitTimeExtension = NFCISO15693ResponseFlag(rawValue: 0x40)
}

/// A tag says this of itself.
///
/// developer.apple.com: NFCISO15693SystemInfo.
public struct NFCISO15693SystemInfo: Sendable {
  /// The UID, 8 bytes.
  public var uniqueIdentifier: Data
  /// DSFID, one byte.
  public var dataStorageFormatIdentifier: Int
  /// AFI, one byte.
  public var applicationFamilyIdentifier: Int
  /// Bytes of a block.
  public var blockSize: Int
  /// How many blocks the tag has.
  public var totalBlocks: Int
  /// The maker's number of the IC.
  public var icReference: Int

  public init(
    uniqueIdentifier _uniqueIdentifier: Data,
    dataStorageFormatIdentifier _dataStorageFormatIdentifier: Int,
    applicationFamilyIdentifier _applicationFamilyIdentifier: Int, blockSize _blockSize: Int,
    totalBlocks _totalBlocks: Int, icReference _icReference: Int
  ) {
    uniqueIdentifier = _uniqueIdentifier
    dataStorageFormatIdentifier = _dataStorageFormatIdentifier
    applicationFamilyIdentifier = _applicationFamilyIdentifier
    (blockSize, totalBlocks, icReference) = (_blockSize, _totalBlocks, _icReference)
  }
}

/// The status says whether blocks are locked.
///
/// developer.apple.com: NFCISO15693MultipleBlockSecurityStatus.
public struct NFCISO15693MultipleBlockSecurityStatus: Sendable {
  /// For each block 1 if it is locked, else 0.
  public var blockSecurityStatus: [Int]

  public init(blockSecurityStatus _blockSecurityStatus: [Int]) {
    blockSecurityStatus = _blockSecurityStatus
  }
}
