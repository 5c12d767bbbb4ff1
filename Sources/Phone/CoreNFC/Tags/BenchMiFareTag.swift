import Foundation
import PhoneSessions
import TagMemory

final class BenchMiFareTag: BenchTag, NFCMiFareTag, @unchecked Sendable {
  override var asTag: NFCTag { .miFare(self) }
  override var type: __NFCTagType { .miFare }

  var mifareFamily: NFCMiFareFamily {
    guard case .miFare(let family) = tag.kind else { return .unknown }
    return NFCMiFareFamily(rawValue: family.rawValue) ?? .unknown
  }
  var identifier: Data { Data(tag.identifier) }
  var historicalBytes: Data? { tag.historicalBytes.map { Data($0) } }

  func sendMiFareCommand(
    commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
  ) {
    perform("sendMiFareCommand") { work throws(SessionError) in
      try work.miFare(Array(command))
    } _: { result in
      completionHandler(Data((try? result.get()) ?? []), result.error)
    }
  }

  func sendMiFareISO7816Command(
    _ apdu: NFCISO7816APDU,
    completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
  ) {
    perform("sendMiFareISO7816Command") { [command = apdu.command] work throws(SessionError) in
      try work.miFareAPDU(command)
    } _: {
      deliver($0, to: completionHandler)
    }
  }
}

final class BenchISO7816Tag: BenchTag, NFCISO7816Tag, @unchecked Sendable {
  override var asTag: NFCTag { .iso7816(self) }
  override var type: __NFCTagType { .iso7816Compatible }

  var initialSelectedAID: String {
    guard case .iso7816(let id) = tag.kind else { return "" }
    return id.map { String(format: "%02X", $0) }.joined()
  }
  var identifier: Data { Data(tag.identifier) }
  var historicalBytes: Data? { tag.historicalBytes.map { Data($0) } }
  var applicationData: Data? { tag.applicationData.map { Data($0) } }
  var proprietaryApplicationDataCoding: Bool { tag.hasProprietaryApplicationData }
  var supportsPACE: Bool { tag.supportsPACE }

  func sendCommand(
    apdu: NFCISO7816APDU,
    completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
  ) {
    perform("sendCommand") { [command = apdu.command] work throws(SessionError) in
      try work.apdu(command)
    } _: {
      deliver($0, to: completionHandler)
    }
  }
}

/// Gives the answer to an APDU, or why there is none, to an app.
private func deliver(
  _ result: Result<ResponseAPDU, SessionError>,
  to handler: (Data, UInt8, UInt8, (any Error)?) -> Void
) {
  let answer = try? result.get()
  handler(
    Data(answer?.data ?? []), answer?.status.sw1 ?? 0, answer?.status.sw2 ?? 0, result.error)
}
