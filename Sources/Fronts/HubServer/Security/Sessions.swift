import Bytes
import Foundation
import HTTPServing
import Synchronization

/// Who has signed in. A session is a random number and its end, signed with the token: screens stay
/// signed in when the hub starts anew, and a new token ends all sessions.
final class Sessions: Sendable {
  static let cookie = "nfcprog-hub"
  /// Where TLS is: a browser takes a cookie of this name from this host alone, and by TLS alone
  /// (RFC 6265bis, 4.1.3.2).
  static let secureCookie = "__Host-nfcprog-hub"
  /// Seconds: a wall's screen is signed in once a month.
  static let lifetime = 30 * 24 * 3600
  /// Sessions that were ended by hand.
  private let ended = Mutex<[String: Int]>([:])
  private let token: AccessToken

  init(_ token: AccessToken) { self.token = token }

  func begin(now: Date = Date()) -> String {
    var random = SystemRandomNumberGenerator()
    let number = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let text = "\(Hex.string(number)).\(Int(now.timeIntervalSince1970) + Self.lifetime)"
    return "\(text).\(Hex.string(token.sign(text)))"
  }

  func isSignedIn(_ value: String, now: Date = Date()) -> Bool {
    guard let (text, end) = parse(value), Int(now.timeIntervalSince1970) < end else { return false }
    return ended.withLock { $0[text] == nil }
  }

  func end(_ value: String, now: Date = Date()) {
    guard let (text, end) = parse(value) else { return }
    let seconds = Int(now.timeIntervalSince1970)
    ended.withLock { ended in
      ended = ended.filter { $0.value > seconds }
      ended[text] = end
    }
  }

  /// Nil where it was not signed here.
  private func parse(_ value: String) -> (text: String, end: Int)? {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, value.utf8.count < 200, let end = Int(parts[1]),
      let signature = try? Hex.bytes(parts[2])
    else { return nil }
    let text = "\(parts[0]).\(parts[1])"
    return AccessToken.areEqual(signature, token.sign(text)) ? (text, end) : nil
  }
}
