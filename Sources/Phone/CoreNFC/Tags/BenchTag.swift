import Foundation
import PhoneSessions
import TagMemory

/// A tag that a session has found. Its subclasses add the commands of their kind.
class BenchTag: NSObject, NFCNDEFTag, __NFCTag, @unchecked Sendable {
  let tag: PhoneTag
  let owner: NFCReaderSession

  /// The tag as an object of the class of its kind.
  static func make(_ tag: PhoneTag, of owner: NFCReaderSession) -> BenchTag {
    switch tag.kind {
    case .miFare: BenchMiFareTag(tag, owner)
    case .iso7816: BenchISO7816Tag(tag, owner)
    case .feliCa: BenchFeliCaTag(tag, owner)
    }
  }

  init(_ tag: PhoneTag, _ owner: NFCReaderSession) { (self.tag, self.owner) = (tag, owner) }

  var asTag: NFCTag { preconditionFailure("a tag is of a kind") }
  var type: __NFCTagType { preconditionFailure("a tag is of a kind") }

  var session: (any NFCReaderSessionProtocol)? { owner }
  var isAvailable: Bool { owner.engine.isAvailable(tag) }

  func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { nil }
  func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { self as? any NFCISO7816Tag }
  func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { self as? any NFCFeliCaTag }
  func asNFCMiFareTag() -> (any NFCMiFareTag)? { self as? any NFCMiFareTag }

  /// Does `work` on the session's thread and hands its outcome to `handler` on the session's queue.
  func perform<Value: Sendable>(
    _ call: String, _ work: @escaping @Sendable (TagWork) throws(SessionError) -> Value,
    _ handler: @escaping @Sendable (Result<Value, SessionError>) -> Void
  ) {
    owner.willCall(call)
    owner.engine.perform(on: tag, work) { [owner] result in owner.answer { handler(result) } }
  }

  // MARK: Messages

  func queryNDEFStatus(
    completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void
  ) {
    perform("queryNDEFStatus") { work throws(SessionError) in
      let found = try work.status()
      return Standing(status: NFCNDEFStatus(found.status), capacity: found.capacity)
    } _: { result in
      let found = try? result.get()
      completionHandler(found?.status ?? .notSupported, found?.capacity ?? 0, result.error)
    }
  }

  private struct Standing: Sendable {
    var status: NFCNDEFStatus
    var capacity: Int
  }

  func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
    perform("readNDEF") { work throws(SessionError) in
      try work.message()
    } _: { result in
      switch result {
      case .failure: completionHandler(nil, result.error)
      case .success(let bytes):
        if let message = NFCNDEFMessage(data: Data(bytes)) {
          completionHandler(message, nil)
        } else {
          let error = SessionError(.tagResponseError, "The tag does not hold a valid message.")
          completionHandler(nil, NFCReaderError(error))
        }
      }
    }
  }

  func writeNDEF(
    _ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    // As it is now: the app may change its records meanwhile.
    let bytes = ndefMessage.bytes
    perform("writeNDEF") { work throws(SessionError) in
      guard let bytes else {
        throw SessionError(.invalidParameter, "A field of a record is too long.")
      }
      try work.write(bytes)
    } _: { result in
      completionHandler(result.error)
    }
  }

  func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    perform("writeLock") { work throws(SessionError) in
      try work.lock()
    } _: { result in
      completionHandler(result.error)
    }
  }

  // MARK: NSObject

  func copy(with zone: NSZone? = nil) -> Any { self }

  class var supportsSecureCoding: Bool { true }

  func encode(with coder: NSCoder) { preconditionFailure("a tag in the field cannot be stored") }

  required init?(coder: NSCoder) { preconditionFailure("a tag in the field cannot be stored") }

  /// Two objects for the same tag of the same session are equal.
  override func isEqual(_ object: Any?) -> Bool { (object as? BenchTag)?.tag === tag }

  override var hash: Int { ObjectIdentifier(tag).hashValue }

  override var description: String { "<\(Swift.type(of: self)): \(tag.target.uid)>" }
}

extension NFCNDEFStatus {
  init(_ status: NDEFStatus) {
    self =
      switch status {
      case .notSupported: .notSupported
      case .readWrite: .readWrite
      case .readOnly: .readOnly
      }
  }
}

extension Result where Failure == SessionError {
  /// The failure as an app gets it.
  var error: NFCReaderError? {
    if case .failure(let error) = self { NFCReaderError(error) } else { nil }
  }
}
