import Foundation

/// The same commands with one result for the handler.
extension NFCFeliCaTag {
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

  @preconcurrency public func requestService(
    nodeCodeList: [Data], resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
  ) {
    requestService(nodeCodeList: nodeCodeList) { resultHandler(Answer($0, $1)) }
  }

  @preconcurrency public func requestResponse(
    resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    requestResponse { resultHandler(Answer($0, $1)) }
  }

  @preconcurrency public func readWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data],
    resultHandler: @escaping @Sendable (Result<(NFCFeliCaStatusFlag, [Data]), any Error>) -> Void
  ) {
    readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
      resultHandler(Answer((NFCFeliCaStatusFlag($0, $1), $2), $3))
    }
  }

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

  @preconcurrency public func requestSystemCode(
    resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
  ) {
    requestSystemCode { resultHandler(Answer($0, $1)) }
  }

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

  @preconcurrency public func resetMode(
    resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
  ) {
    resetMode { resultHandler(Answer(NFCFeliCaStatusFlag($0, $1), $2)) }
  }

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
