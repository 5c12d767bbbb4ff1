// Names are spelt as Apple spells them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

import Foundation

/// What Polling asks for beside IDm and PMm.
public enum NFCFeliCaPollingRequestCode: Int, Hashable, Sendable {
  case noRequest = 0
  case systemCode = 1
  case communicationPerformance = 2

  public static var PollingRequestCodeNoRequest: NFCFeliCaPollingRequestCode { .noRequest }
  public static var PollingRequestCodeSystemCode: NFCFeliCaPollingRequestCode { .systemCode }
  public static var PollingRequestCodeCommunicationPerformance: NFCFeliCaPollingRequestCode {
    .communicationPerformance
  }
}

@available(*, deprecated, renamed: "NFCFeliCaPollingRequestCode")
public typealias PollingRequestCode = NFCFeliCaPollingRequestCode

/// How many time slots tags may answer in.
public enum NFCFeliCaPollingTimeSlot: Int, Hashable, Sendable {
  case max1 = 0
  case max2 = 1
  case max4 = 3
  case max8 = 7
  case max16 = 15

  public static var PollingTimeSlotMax1: NFCFeliCaPollingTimeSlot { .max1 }
  public static var PollingTimeSlotMax2: NFCFeliCaPollingTimeSlot { .max2 }
  public static var PollingTimeSlotMax4: NFCFeliCaPollingTimeSlot { .max4 }
  public static var PollingTimeSlotMax8: NFCFeliCaPollingTimeSlot { .max8 }
  public static var PollingTimeSlotMax16: NFCFeliCaPollingTimeSlot { .max16 }
}

@available(*, deprecated, renamed: "NFCFeliCaPollingTimeSlot")
public typealias PollingTimeSlot = NFCFeliCaPollingTimeSlot

/// Which encryption a node's key versions are for.
public enum NFCFeliCaEncryptionId: Int, Hashable, Sendable {
  case AES = 0x4F
  case AES_DES = 0x41

  public static var aes: NFCFeliCaEncryptionId { .AES }
  public static var aes_des: NFCFeliCaEncryptionId { .AES_DES }
}

@available(*, deprecated, renamed: "NFCFeliCaEncryptionId")
public typealias EncryptionId = NFCFeliCaEncryptionId

/// The answer to Polling.
public struct NFCFeliCaPollingResponse: Sendable {
  /// PMm.
  public var manufactureParameter: Data
  /// What the request code asked for; nil where nothing was.
  public var requestData: Data?

  public init(manufactureParameter _manufactureParameter: Data, requestData _requestData: Data?) {
    (manufactureParameter, requestData) = (_manufactureParameter, _requestData)
  }
}

/// Status flags 1 and 2: zeros, or why the tag refuses.
public struct NFCFeliCaStatusFlag: Sendable {
  public var statusFlag1: Int
  public var statusFlag2: Int

  public init(statusFlag1 _statusFlag1: Int, statusFlag2 _statusFlag2: Int) {
    (statusFlag1, statusFlag2) = (_statusFlag1, _statusFlag2)
  }
}

/// The answer to Request Specification Version; the versions are nil where the tag refuses.
public struct NFCFeliCaRequestSpecificationVersionResponse: Sendable {
  public var statusFlag1: Int
  public var statusFlag2: Int
  public var basicVersion: Data?
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
public struct NFCFeliCaRequsetServiceV2Response: Sendable {
  public var statusFlag1: Int
  public var statusFlag2: Int
  public var encryptionIdentifier: NFCFeliCaEncryptionId
  public var nodeKeyVersionListAES: [Data]?
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
