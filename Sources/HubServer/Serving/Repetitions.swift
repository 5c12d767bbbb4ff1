import CardCrypto
import Hummingbird
import Synchronization

/// Answers by idempotency key (draft-ietf-httpapi-idempotency-key-header): a client that lost an
/// answer asks again with its key, and nothing is done twice.
///
/// The last answers are kept until the hub ends. After that, making and closing a batch do nothing
/// twice by themselves, and rows whose codes or URLs are there already are refused.
final class Repetitions: Sendable {
  private enum Entry {
    /// It is being done.
    case begun([UInt8])
    case done([UInt8], Response)

    var request: [UInt8] {
      switch self {
      case .begun(let request), .done(let request, _): request
      }
    }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// Finished ones, the oldest first.
    var order: [String] = []
  }

  private static let most = 1000
  private let state = Mutex(State())

  /// `make` is run on `threads` where there is no key, or it is new.
  func answer(
    _ request: Request, _ body: SentBody, on threads: StoreThreads,
    _ make: @escaping @Sendable () throws -> Response
  ) async throws -> Response {
    guard let key = request.headers[.idempotencyKey] else { return try await threads.run(make) }
    guard (1...200).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw Problem(.badRequest, "An Idempotency-Key has 1 to 200 letters, digits and signs.")
    }
    let address = Array("\(request.uri)\n".utf8)
    let hash = try await threads.run { SHA256.hash(address + body.bytes) }
    if let known = try begin(key, hash) { return known }
    do {
      let response = try await threads.run(make)
      finish(key, .done(hash, response))
      return response
    } catch {
      // What failed may be tried again.
      finish(key, nil)
      throw error
    }
  }

  private func begin(_ key: String, _ hash: [UInt8]) throws(Problem) -> Response? {
    try state.withLock { (state) throws(Problem) -> Response? in
      guard let entry = state.entries[key] else {
        state.entries[key] = .begun(hash)
        return nil
      }
      guard entry.request == hash else {
        throw Problem(.reusedKey, "This Idempotency-Key came with another request before.")
      }
      guard case .done(_, let response) = entry else {
        throw Problem(.inProgress, "The same request is being answered. Ask again.", retryAfter: 1)
      }
      return response
    }
  }

  private func finish(_ key: String, _ entry: Entry?) {
    state.withLock { state in
      state.entries[key] = entry
      guard entry != nil else { return }
      state.order.append(key)
      guard state.order.count > Self.most else { return }
      state.entries[state.order.removeFirst()] = nil
    }
  }
}
