import Foundation

extension NFCFeliCaTag {
  /// Polls for a system code, which the app must have declared, and hands over PMm and what the
  /// request code asks for.
  nonisolated(nonsending) public func polling(
    systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot
  ) async throws -> (Data, Data) {
    try await withCheckedThrowingContinuation { continuation in
      polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) {
        continuation.resume(with: Answer(($0, $1), $2))
      }
    }
  }

  /// Asks for the key versions of 1 to 32 nodes, 2 bytes each; FFFF: no such node.
  nonisolated(nonsending) public func requestService(nodeCodeList: [Data]) async throws -> [Data] {
    try await withCheckedThrowingContinuation { continuation in
      requestService(nodeCodeList: nodeCodeList) { continuation.resume(with: Answer($0, $1)) }
    }
  }

  /// Asks for the tag's mode, 0 to 3.
  nonisolated(nonsending) public func requestResponse() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      requestResponse { continuation.resume(with: Answer($0, $1)) }
    }
  }

  /// Reads blocks of 16 bytes of services without a key, with the status flags.
  nonisolated(nonsending) public func readWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data]
  ) async throws -> (Int, Int, [Data]) {
    try await withCheckedThrowingContinuation { continuation in
      readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
        continuation.resume(with: Answer(($0, $1, $2), $3))
      }
    }
  }

  /// Writes blocks of 16 bytes of services without a key, and hands over the status flags.
  nonisolated(nonsending) public func writeWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data], blockData: [Data]
  ) async throws -> (Int, Int) {
    try await withCheckedThrowingContinuation { continuation in
      writeWithoutEncryption(
        serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData
      ) {
        continuation.resume(with: Answer(($0, $1), $2))
      }
    }
  }

  /// Asks for the tag's system codes, 2 bytes each.
  nonisolated(nonsending) public func requestSystemCode() async throws -> [Data] {
    try await withCheckedThrowingContinuation { continuation in
      requestSystemCode { continuation.resume(with: Answer($0, $1)) }
    }
  }

  /// Asks for the key versions of 1 to 32 nodes, AES and DES.
  nonisolated(nonsending) public func requestServiceV2(nodeCodeList: [Data]) async throws
    -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data])
  {
    try await withCheckedThrowingContinuation { continuation in
      requestServiceV2(nodeCodeList: nodeCodeList) {
        continuation.resume(with: Answer(($0, $1, $2, $3, $4), $5))
      }
    }
  }

  /// Asks for the versions of the specification that the tag follows.
  nonisolated(nonsending) public func requestSpecificationVersion() async throws
    -> (Int, Int, Data, Data)
  {
    try await withCheckedThrowingContinuation { continuation in
      requestSpecificationVersion { continuation.resume(with: Answer(($0, $1, $2, $3), $4)) }
    }
  }

  /// Sends Reset Mode: the tag returns to mode 0.
  nonisolated(nonsending) public func resetMode() async throws -> (Int, Int) {
    try await withCheckedThrowingContinuation { continuation in
      resetMode { continuation.resume(with: Answer(($0, $1), $2)) }
    }
  }

  /// Sends a command packet, without its length, and hands over the answer.
  nonisolated(nonsending) public func sendFeliCaCommand(commandPacket: Data) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      sendFeliCaCommand(commandPacket: commandPacket) { continuation.resume(with: Answer($0, $1)) }
    }
  }
}
