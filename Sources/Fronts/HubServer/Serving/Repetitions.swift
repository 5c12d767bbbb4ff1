import CardCrypto
import HTTPServing
import HubKit
import Hummingbird
import Synchronization

/// Requests by idempotency key (draft-ietf-httpapi-idempotency-key-header): a client that lost an
/// answer asks again with its key, and nothing is done twice.
///
/// The store keeps each request with what it does, in one transaction. Here is known which ones are
/// being answered.
final class Repetitions: Sendable {
  private let store: any HubStore
  private let threads: StoreThreads
  private let begun = Mutex<[String: HubRequest]>([:])

  init(_ store: any HubStore, _ threads: StoreThreads) {
    (self.store, self.threads) = (store, threads)
  }

  /// The batch as `change` leaves it, or as it is where the request was carried out before.
  func batch(
    after request: Request, _ body: SentBody, on makers: StoreThreads,
    _ change: @escaping @Sendable (HubRequest?) throws -> HubBatch
  ) async throws -> HubBatch {
    guard let key = request.headers[.idempotencyKey] else {
      return try await makers.run { try change(nil) }
    }
    guard (1...200).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw Problem(.badRequest, "An Idempotency-Key has 1 to 200 letters, digits and signs.")
    }
    let head = "\(request.method) \(request.uri)\n\(request.headers[.contentType] ?? "")\n"
    let keyed = try await threads.run {
      HubRequest(key: key, digest: SHA256.hash(Array(head.utf8) + body.bytes))
    }
    try begin(keyed)
    defer { begun.withLock { $0[key] = nil } }
    if let known = try await threads.run({ [store] in try store.batch(after: keyed) }) {
      return known
    }
    return try await makers.run { try change(keyed) }
  }

  private func begin(_ request: HubRequest) throws {
    try begun.withLock { begun in
      guard let known = begun[request.key] else {
        begun[request.key] = request
        return
      }
      guard known == request else { throw HubError.reusedKey }
      throw Problem(.inProgress, "The same request is being answered. Ask again.", retryAfter: 1)
    }
  }
}
