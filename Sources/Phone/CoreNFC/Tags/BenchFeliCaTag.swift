import Foundation
import PhoneSessions

final class BenchFeliCaTag: BenchTag, NFCFeliCaTag, @unchecked Sendable {
  override var asTag: NFCTag { .feliCa(self) }
  override var type: __NFCTagType { .feliCa }

  var currentSystemCode: Data {
    guard case .feliCa(let code) = tag.kind else { return Data() }
    return Data(code)
  }
  var currentIDm: Data { Data(tag.identifier) }

  func polling(
    systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
    completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
  ) {
    perform("polling") { work throws(SessionError) in
      let answer = try work.polling(
        systemCode: Array(systemCode), request: UInt8(requestCode.rawValue),
        slots: UInt8(timeSlot.rawValue))
      return [answer.pmm, answer.data]
    } _: { result in
      let parts = (try? result.get()) ?? [[], []]
      completionHandler(Data(parts[0]), Data(parts[1]), result.error)
    }
  }

  func requestService(
    nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
  ) {
    perform("requestService") { work throws(SessionError) in
      try work.requestService(nodeCodeList.map { Array($0) })
    } _: { result in
      completionHandler((try? result.get())?.map { Data($0) } ?? [], result.error)
    }
  }

  func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void) {
    perform("requestResponse") { work throws(SessionError) in
      Int(try work.feliCa(0x04, atLeast: 1)[0])
    } _: { result in
      completionHandler((try? result.get()) ?? 0, result.error)
    }
  }

  func readWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data],
    completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
  ) {
    perform("readWithoutEncryption") { work throws(SessionError) in
      try work.readWithoutEncryption(
        services: serviceCodeList.map { Array($0) }, blocks: blockList.map { Array($0) })
    } _: { result in
      let answer = try? result.get()
      completionHandler(
        answer?.flag1 ?? 0, answer?.flag2 ?? 0, answer?.parts.map { Data($0) } ?? [], result.error)
    }
  }

  func writeWithoutEncryption(
    serviceCodeList: [Data], blockList: [Data], blockData: [Data],
    completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
  ) {
    perform("writeWithoutEncryption") { work throws(SessionError) in
      try work.writeWithoutEncryption(
        services: serviceCodeList.map { Array($0) }, blocks: blockList.map { Array($0) },
        data: blockData.map { Array($0) })
    } _: { result in
      let answer = try? result.get()
      completionHandler(answer?.flag1 ?? 0, answer?.flag2 ?? 0, result.error)
    }
  }

  func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void) {
    perform("requestSystemCode") { work throws(SessionError) in
      try work.requestSystemCode()
    } _: { result in
      completionHandler((try? result.get())?.map { Data($0) } ?? [], result.error)
    }
  }

  func requestServiceV2(
    nodeCodeList: [Data],
    completionHandler:
      @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void
  ) {
    perform("requestServiceV2") { work throws(SessionError) in
      try work.requestServiceV2(nodeCodeList.map { Array($0) })
    } _: { result in
      let answer = try? result.get()
      completionHandler(
        answer?.flag1 ?? 0, answer?.flag2 ?? 0,
        NFCFeliCaEncryptionId(rawValue: Int(answer?.encryption ?? 0)) ?? .AES,
        answer?.aes.map { Data($0) } ?? [], answer?.des.map { Data($0) } ?? [], result.error)
    }
  }

  func requestSpecificationVersion(
    completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
  ) {
    perform("requestSpecificationVersion") { work throws(SessionError) in
      try work.requestSpecificationVersion()
    } _: { result in
      let answer = try? result.get()
      completionHandler(
        answer?.flag1 ?? 0, answer?.flag2 ?? 0, Data(answer?.parts.first ?? []),
        Data(answer?.parts.dropFirst().first ?? []), result.error)
    }
  }

  func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void) {
    perform("resetMode") { work throws(SessionError) in
      try work.feliCa(0x3E, [0x00, 0x00], atLeast: 2)
    } _: { result in
      let flags = (try? result.get()) ?? [0, 0]
      completionHandler(Int(flags[0]), Int(flags[1]), result.error)
    }
  }

  func sendFeliCaCommand(
    commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
  ) {
    perform("sendFeliCaCommand") { work throws(SessionError) in
      try work.feliCa(packet: Array(commandPacket))
    } _: { result in
      completionHandler(Data((try? result.get()) ?? []), result.error)
    }
  }
}
