import Foundation

/// These variants of the commands give their handler one result.
extension NFCFeliCaTag {
  /// Polls for a system code, which the app must have declared, and hands over PMm and what the
  /// request code asks for.
  @preconcurrency public func polling(
    systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
    resultHandler: @escaping @Sendable (Result<NFCFeliCaPollingResponse, any Error>) -> Void
  ) {
    polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) {
      let response = NFCFeliCaPollingResponse(
        manufactureParameter: $0, requestData: $1.isEmpty ? nil : $1)
      resultHandler(Answer(response, $2))
    }
  }

  /// Asks for the key versions of 1 to 32 nodes, 2 bytes each; FFFF: no such node.
  @preconcurrency public func requestService(
    nodeCodeList: [Data], resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
  ) {
    requestService(nodeCodeList: nodeCodeList) { resultHandler(Answer($0, $1)) }
  }

  /// Asks for the tag's mode, 0 to 3.
  @preconcurrency public func requestResponse(
    resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    requestResponse { resultHandler(Answer($0, $1)) }
  }

  /// Reads blocks of 16 bytes of services without a key, with the status flags.
  @preconcurrency public func readWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data],
    resultHandler: @escaping @Sendable (Result<(NFCFeliCaStatusFlag, [Data]), any Error>) -> Void
  ) {
    readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
      resultHandler(Answer((NFCFeliCaStatusFlag($0, $1), $2), $3))
    }
  }

  /// Writes blocks of 16 bytes of services without a key, and hands over the status flags.
  @preconcurrency public func writeWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data], blockData: [Data],
    resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
  ) {
    writeWithoutEncryption(
      serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData
    ) {
      resultHandler(Answer(NFCFeliCaStatusFlag($0, $1), $2))
    }
  }

  /// Asks for the tag's system codes, 2 bytes each.
  @preconcurrency public func requestSystemCode(
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
  ) {
    requestSystemCode { resultHandler(Answer($0, $1)) }
  }

  /// Asks for the key versions of 1 to 32 nodes, AES and DES.
  @preconcurrency public func requestServiceV2(
    nodeCodeList: [Data],
    resultHandler:
      @escaping @Sendable (Result<NFCFeliCaRequsetServiceV2Response, any Error>) -> Void
  ) {
    requestServiceV2(nodeCodeList: nodeCodeList) {
      let response = NFCFeliCaRequsetServiceV2Response(
        statusFlag1: $0, statusFlag2: $1, encryptionIdentifier: $2,
        nodeKeyVersionListAES: $3.isEmpty ? nil : $3, nodeKeyVersionListDES: $4.isEmpty ? nil : $4)
      resultHandler(Answer(response, $5))
    }
  }

  /// Asks for the versions of the specification that the tag follows.
  @preconcurrency public func requestSpecificationVersion(
    resultHandler:
      @escaping @Sendable (
        Result<NFCFeliCaRequestSpecificationVersionResponse, any Error>
      ) -> Void
  ) {
    requestSpecificationVersion {
      let response = NFCFeliCaRequestSpecificationVersionResponse(
        statusFlag1: $0, statusFlag2: $1, basicVersion: $2.isEmpty ? nil : $2,
        optionVersion: $3.isEmpty ? nil : $3)
      resultHandler(Answer(response, $4))
    }
  }

  /// Sends Reset Mode: the tag returns to mode 0.
  @preconcurrency public func resetMode(
    resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
  ) {
    resetMode { resultHandler(Answer(NFCFeliCaStatusFlag($0, $1), $2)) }
  }

  /// Sends a command packet, without its length, and hands over the answer.
  @preconcurrency public func sendFeliCaCommand(
    commandPacket: Data, resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
  ) {
    sendFeliCaCommand(commandPacket: commandPacket) { resultHandler(Answer($0, $1)) }
  }
}

extension NFCFeliCaStatusFlag {
  fileprivate init(_ first: Int, _ second: Int) {
    self.init(statusFlag1: first, statusFlag2: second)
  }
}
