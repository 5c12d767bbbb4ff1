import CoreNFC
import UIKit

/// A tag manager as many apps have one: a session, a connected card, APDUs one after another.
final class TagManager: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
  static let shared = TagManager()

  private var session: NFCTagReaderSession?
  private var work: ((NFCISO7816Tag) -> Void)?
  private(set) var log: [String] = []
  var onEnd: ((Error) -> Void)?

  func start(prompt: String, work: @escaping (NFCISO7816Tag) -> Void) {
    guard NFCTagReaderSession.readingAvailable else {
      log.append("unavailable")
      return
    }
    self.work = work
    session = NFCTagReaderSession(pollingOption: [.iso14443, .iso15693], delegate: self)
    session?.alertMessage = prompt
    session?.begin()
  }

  func finish(message: String) {
    session?.alertMessage = message
    session?.invalidate()
  }

  // MARK: NFCTagReaderSessionDelegate

  func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
    log.append("active")
  }

  func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
    if let readerError = error as? NFCReaderError {
      switch readerError.code {
      case .readerSessionInvalidationErrorUserCanceled: log.append("canceled")
      case .readerSessionInvalidationErrorSessionTimeout: log.append("timeout")
      case .readerSessionInvalidationErrorFirstNDEFTagRead: log.append("read")
      default: log.append("error \(readerError.errorCode)")
      }
    }
    self.session = nil
    onEnd?(error)
  }

  func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
    if tags.count > 1 {
      session.alertMessage = "More than one tag was found."
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
        session.restartPolling()
      }
      return
    }
    guard let tag = tags.first else { return }
    session.connect(to: tag) { (error: Error?) in
      if let error = error as NSError? {
        session.invalidate(errorMessage: "Connecting failed: \(error.code)")
        return
      }
      switch tag {
      case .iso7816(let card):
        self.log.append("card \(card.initialSelectedAID)")
        self.work?(card)
      case .miFare(let chip):
        self.log.append("mifare \(chip.mifareFamily.rawValue) \(chip.identifier.hex)")
        session.invalidate()
      case .feliCa(let felica):
        self.log.append("felica \(felica.currentIDm.hex)")
        session.invalidate()
      case .iso15693(_):
        session.invalidate(errorMessage: "Not supported")
      @unknown default:
        session.invalidate()
      }
    }
  }

  // MARK: APDUs

  /// Sends APDUs in turn and hands over all answers; stops at a status other than 9000.
  func send(
    _ apdus: [NFCISO7816APDU], to card: NFCISO7816Tag, answers: [Data] = [],
    completion: @escaping (Result<[Data], Error>) -> Void
  ) {
    guard let first = apdus.first else { return completion(.success(answers)) }
    card.sendCommand(apdu: first) { (data: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
      if let error = error { return completion(.failure(error)) }
      guard sw1 == 0x90, sw2 == 0x00 else {
        let text = String(format: "status %02X%02X", sw1, sw2)
        return completion(
          .failure(NSError(domain: "card", code: 1, userInfo: [NSLocalizedDescriptionKey: text])))
      }
      self.send(
        Array(apdus.dropFirst()), to: card, answers: answers + [data], completion: completion)
    }
  }
}

extension Data {
  var hex: String { map { String(format: "%02X", $0) }.joined() }
}
