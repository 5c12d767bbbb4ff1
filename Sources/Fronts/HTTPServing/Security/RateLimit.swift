import Synchronization

/// How often each client may ask: a bucket of tokens that fills up again by itself.
package final class RateLimit: Sendable {
  private struct Bucket {
    var tokens: Double
    var filled: ContinuousClock.Instant
  }

  private let perSecond: Double
  private let size: Double
  private let buckets = Mutex<[String: Bucket]>([:])
  /// Clients that are remembered.
  private static let most = 10_000

  package init(perSecond: Double, burst: Double) { (self.perSecond, size) = (perSecond, burst) }

  /// Takes a token; gives the seconds to wait where there is none.
  package func wait(_ client: String, now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.most {
        buckets = buckets.filter { tokens($0.value, now) < size }
        // So many at once are an attack: none of them is remembered.
        if buckets.count >= Self.most { buckets = [:] }
      }
      let left = buckets[client].map { tokens($0, now) } ?? size
      guard left >= 1 else { return max(1, Int(((1 - left) / perSecond).rounded(.up))) }
      buckets[client] = Bucket(tokens: left - 1, filled: now)
      return nil
    }
  }

  private func tokens(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(size, bucket.tokens + (now - bucket.filled) / .seconds(1) * perSecond)
  }
}
