// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation

/// A request code says what Polling asks for beside IDm and PMm.
///
/// developer.apple.com: NFCFeliCaPollingRequestCode.
public enum NFCFeliCaPollingRequestCode: Int, Hashable, Sendable {
  /// Nothing.
  case noRequest = 0
  /// The system code, 2 bytes.
  case systemCode = 1
  /// The data rates that the tag supports, 2 bytes.
  case communicationPerformance = 2

  /// The name before iOS 14 of `noRequest`.
  public static var PollingRequestCodeNoRequest: NFCFeliCaPollingRequestCode { .noRequest }
  /// The name before iOS 14 of `systemCode`.
  public static var PollingRequestCodeSystemCode: NFCFeliCaPollingRequestCode { .systemCode }
  /// The name before iOS 14 of `communicationPerformance`.
  public static var PollingRequestCodeCommunicationPerformance: NFCFeliCaPollingRequestCode {
    .communicationPerformance
  }
}

/// The name before iOS 14.
@available(*, deprecated, renamed: "NFCFeliCaPollingRequestCode")
public typealias PollingRequestCode = NFCFeliCaPollingRequestCode

/// How many time slots tags may answer in.
///
/// developer.apple.com: NFCFeliCaPollingTimeSlot.
public enum NFCFeliCaPollingTimeSlot: Int, Hashable, Sendable {
  /// One slot: all tags answer at once.
  case max1 = 0
  /// Two slots.
  case max2 = 1
  /// Four slots.
  case max4 = 3
  /// Eight slots.
  case max8 = 7
  /// Sixteen slots.
  case max16 = 15

  /// The name before iOS 14 of `max1`.
  public static var PollingTimeSlotMax1: NFCFeliCaPollingTimeSlot { .max1 }
  /// The name before iOS 14 of `max2`.
  public static var PollingTimeSlotMax2: NFCFeliCaPollingTimeSlot { .max2 }
  /// The name before iOS 14 of `max4`.
  public static var PollingTimeSlotMax4: NFCFeliCaPollingTimeSlot { .max4 }
  /// The name before iOS 14 of `max8`.
  public static var PollingTimeSlotMax8: NFCFeliCaPollingTimeSlot { .max8 }
  /// The name before iOS 14 of `max16`.
  public static var PollingTimeSlotMax16: NFCFeliCaPollingTimeSlot { .max16 }
}

/// The name before iOS 14.
@available(*, deprecated, renamed: "NFCFeliCaPollingTimeSlot")
public typealias PollingTimeSlot = NFCFeliCaPollingTimeSlot

/// Which encryption a node's key versions are for.
///
/// developer.apple.com: NFCFeliCaEncryptionId.
public enum NFCFeliCaEncryptionId: Int, Hashable, Sendable {
  /// AES keys.
  case AES = 0x4F
  /// AES and DES keys.
  case AES_DES = 0x41

  /// This name is another one for `AES`.
  public static var aes: NFCFeliCaEncryptionId { .AES }
  /// This name is another one for `AES_DES`.
  public static var aes_des: NFCFeliCaEncryptionId { .AES_DES }
}

/// The name before iOS 14.
@available(*, deprecated, renamed: "NFCFeliCaEncryptionId")
public typealias EncryptionId = NFCFeliCaEncryptionId

/// The answer to Polling.
///
/// developer.apple.com: NFCFeliCaPollingResponse.
public struct NFCFeliCaPollingResponse: Sendable {
  /// PMm.
  public var manufactureParameter: Data
  /// These bytes are what the request code asked for; nil where nothing was.
  public var requestData: Data?

  public init(manufactureParameter _manufactureParameter: Data, requestData _requestData: Data?) {
    (manufactureParameter, requestData) = (_manufactureParameter, _requestData)
  }
}

/// Status flags 1 and 2: zeros, or why the tag refuses.
///
/// developer.apple.com: NFCFeliCaStatusFlag.
public struct NFCFeliCaStatusFlag: Sendable {
  /// Status flag 1: 0 if the tag did it (JIS X 6319-4).
  public var statusFlag1: Int
  /// Status flag 2: 0 if the tag did it, else why not (JIS X 6319-4).
  public var statusFlag2: Int

  public init(statusFlag1 _statusFlag1: Int, statusFlag2 _statusFlag2: Int) {
    (statusFlag1, statusFlag2) = (_statusFlag1, _statusFlag2)
  }
}

/// The answer to Request Specification Version; the versions are nil where the tag refuses.
///
/// developer.apple.com: NFCFeliCaRequestSpecificationVersionResponse.
public struct NFCFeliCaRequestSpecificationVersionResponse: Sendable {
  /// Status flag 1: 0 if the tag did it (JIS X 6319-4).
  public var statusFlag1: Int
  /// Status flag 2: 0 if the tag did it, else why not (JIS X 6319-4).
  public var statusFlag2: Int
  /// The basic version, 2 bytes.
  public var basicVersion: Data?
  /// The version of the option, 2 bytes.
  public var optionVersion: Data?

  public init(
    statusFlag1 _statusFlag1: Int, statusFlag2 _statusFlag2: Int, basicVersion _basicVersion: Data?,
    optionVersion _optionVersion: Data?
  ) {
    (statusFlag1, statusFlag2) = (_statusFlag1, _statusFlag2)
    (basicVersion, optionVersion) = (_basicVersion, _optionVersion)
  }
}

/// The answer to Request Service v2, spelt as Apple spells it; the lists are nil where the tag has
/// none.
///
/// developer.apple.com: NFCFeliCaRequsetServiceV2Response.
public struct NFCFeliCaRequsetServiceV2Response: Sendable {
  /// Status flag 1: 0 if the tag did it (JIS X 6319-4).
  public var statusFlag1: Int
  /// Status flag 2: 0 if the tag did it, else why not (JIS X 6319-4).
  public var statusFlag2: Int
  /// Which keys the nodes have.
  public var encryptionIdentifier: NFCFeliCaEncryptionId
  /// The AES key version of each node, 2 bytes; FFFF: no such node.
  public var nodeKeyVersionListAES: [Data]?
  /// The DES key version of each node, 2 bytes; FFFF: no such node.
  public var nodeKeyVersionListDES: [Data]?

  public init(
    statusFlag1 _statusFlag1: Int, statusFlag2 _statusFlag2: Int,
    encryptionIdentifier _encryptionIdentifier: NFCFeliCaEncryptionId,
    nodeKeyVersionListAES _nodeKeyVersionListAES: [Data]?,
    nodeKeyVersionListDES _nodeKeyVersionListDES: [Data]?
  ) {
    (statusFlag1, statusFlag2) = (_statusFlag1, _statusFlag2)
    encryptionIdentifier = _encryptionIdentifier
    (nodeKeyVersionListAES, nodeKeyVersionListDES) =
      (_nodeKeyVersionListAES, _nodeKeyVersionListDES)
  }
}
