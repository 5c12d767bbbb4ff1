import Foundation

/// How often and how fast a command is repeated.
open class NFCTagCommandConfiguration: NSObject, NSCopying, @unchecked Sendable {
  open var maximumRetries = 0
  /// Seconds.
  open var retryInterval: TimeInterval = 0

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NFCTagCommandConfiguration()
    (copy.maximumRetries, copy.retryInterval) = (maximumRetries, retryInterval)
    return copy
  }
}

/// A maker's own command to an ISO 15693 tag.
open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration, @unchecked Sendable {
  open var manufacturerCode: Int
  open var customCommandCode: Int
  open var requestParameters: Data

  public init(manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?) {
    (self.manufacturerCode, self.customCommandCode) = (manufacturerCode, customCommandCode)
    self.requestParameters = requestParameters ?? Data()
    super.init()
  }

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
open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration,
  @unchecked Sendable
{
  open var range: NSRange
  open var chunkSize: Int

  public init(range: NSRange, chunkSize: Int) {
    (self.range, self.chunkSize) = (range, chunkSize)
    super.init()
  }

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
public struct NFCISO15693RequestFlag: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let dualSubCarriers = NFCISO15693RequestFlag(rawValue: 0x01)
  public static let highDataRate = NFCISO15693RequestFlag(rawValue: 0x02)
  public static let protocolExtension = NFCISO15693RequestFlag(rawValue: 0x08)
  public static let select = NFCISO15693RequestFlag(rawValue: 0x10)
  public static let address = NFCISO15693RequestFlag(rawValue: 0x20)
  public static let option = NFCISO15693RequestFlag(rawValue: 0x40)
  public static let commandSpecificBit8 = NFCISO15693RequestFlag(rawValue: 0x80)
}

public typealias RequestFlag = NFCISO15693RequestFlag

/// The flags of an answer (ISO/IEC 15693-3, 7.4.1).
public struct NFCISO15693ResponseFlag: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let error = NFCISO15693ResponseFlag(rawValue: 0x01)
  public static let responseBufferValid = NFCISO15693ResponseFlag(rawValue: 0x02)
  public static let finalResponse = NFCISO15693ResponseFlag(rawValue: 0x04)
  public static let protocolExtension = NFCISO15693ResponseFlag(rawValue: 0x08)
  public static let blockSecurityStatusBit5 = NFCISO15693ResponseFlag(rawValue: 0x10)
  public static let blockSecurityStatusBit6 = NFCISO15693ResponseFlag(rawValue: 0x20)
  public static let waitTimeExtension = NFCISO15693ResponseFlag(rawValue: 0x40)
}

/// What a tag says of itself.
public struct NFCISO15693SystemInfo: Sendable {
  public var uniqueIdentifier: Data
  public var dataStorageFormatIdentifier: Int
  public var applicationFamilyIdentifier: Int
  public var blockSize: Int
  public var totalBlocks: Int
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

/// Whether blocks are locked.
public struct NFCISO15693MultipleBlockSecurityStatus: Sendable {
  public var blockSecurityStatus: [Int]

  public init(blockSecurityStatus _blockSecurityStatus: [Int]) {
    blockSecurityStatus = _blockSecurityStatus
  }
}
